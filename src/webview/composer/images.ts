import type { Attachment } from '../../protocol/events.ts';

/** What the models take, and what a message to the host carries without delay. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp'];
const imageLimitMb = 5;

export type ImageReading =
  | { readonly kind: 'read'; readonly attachment: Attachment }
  | { readonly kind: 'refused'; readonly sentence: string };

/** The files among what was pasted or dropped that are images of any type. */
export function imagesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(file => file.type.startsWith('image/'));
}

export async function readImage(file: File): Promise<ImageReading> {
  const name = file.name || 'Image';
  if (!imageTypes.includes(file.type))
    return { kind: 'refused', sentence: `${name} was not attached. Use a PNG, JPEG or WebP image.` };
  if (file.size > imageLimitMb * 1024 * 1024)
    return {
      kind: 'refused',
      sentence: `${name} was not attached. It is larger than ${imageLimitMb} MB: make it smaller first.`,
    };
  try {
    const data = await readBase64(file);
    return { kind: 'read', attachment: { kind: 'image', name, blob: { mimeType: file.type, data } } };
  } catch {
    // A file that vanished or may not be read; the browser says no more about it.
    return { kind: 'refused', sentence: `${name} was not attached. It cannot be read: try another copy.` };
  }
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The image cannot be read.'));
    reader.readAsDataURL(file);
  });
}
