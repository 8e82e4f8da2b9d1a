import type { Attachment } from '../../protocol/intentions.ts';

/** Types that the models take and that a message to the host carries without delay. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp'];
const imageLimitMb = 5;

type ImageReading =
  | { readonly kind: 'read'; readonly attachment: Attachment }
  | { readonly kind: 'refused'; readonly sentence: string };

/** `onlyImages`: where text comes along with files of other types, the text is what is wanted. */
export function filesIn(data: DataTransfer | null, which: 'all' | 'onlyImages'): readonly File[] {
  const files = [...(data?.files ?? [])];
  return which === 'all' ? files : files.filter(isImage);
}

export async function readImage(file: File): Promise<ImageReading> {
  const name = file.name || 'Image';
  if (!isImage(file))
    return {
      kind: 'refused',
      sentence: `${name} was not attached. Type @ and its name, or drop it from VS Code's explorer.`,
    };
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

function isImage(file: File): boolean {
  return file.type.startsWith('image/');
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The image cannot be read.'));
    reader.readAsDataURL(file);
  });
}
