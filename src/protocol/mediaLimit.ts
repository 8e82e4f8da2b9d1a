/**
 * Limit in megabytes for the pictures and files of a prompt with its mentions, or of a result. A request takes 20, and
 * Base64 adds a third. `models/media` shrinks them for services with lower limits.
 */
export const mediaLimitMb = 14;

export const mediaLimitBytes = mediaLimitMb * 1024 * 1024;

/** Avoids a pattern over the whole text, which would need memory for each character and may fail. */
export function isBase64(text: string): boolean {
  const end = text.indexOf('=');
  const data = end < 0 ? text : text.slice(0, end);
  return text.length % 4 === 0 && /^={0,2}$/.test(text.slice(data.length)) && !/[^A-Za-z0-9+/]/.test(data);
}
