/**
 * Megabytes of pictures and files in a prompt, in what it names, or in a result. A request takes 20, and Base64 adds a
 * third. What one service takes less is made smaller before a request (`models/media`).
 */
export const mediaLimitMb = 14;

export const mediaLimitBytes = mediaLimitMb * 1024 * 1024;

/** A pattern that takes the whole text would need memory for each letter of it, and may fail for want of that. */
export function isBase64(text: string): boolean {
  const end = text.indexOf('=');
  const data = end < 0 ? text : text.slice(0, end);
  return text.length % 4 === 0 && /^={0,2}$/.test(text.slice(data.length)) && !/[^A-Za-z0-9+/]/.test(data);
}
