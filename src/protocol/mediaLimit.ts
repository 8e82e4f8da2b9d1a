/**
 * Megabytes of pictures and files in a prompt, in what it names, or in a result. A request takes 20, and Base64 adds a
 * third. What one service takes less is made smaller before a request (`models/media`).
 */
export const mediaLimitMb = 14;

export const mediaLimitBytes = mediaLimitMb * 1024 * 1024;
