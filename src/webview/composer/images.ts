import type { Attachment } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { mediaLimitBytes, mediaLimitMb } from '../../protocol/mediaLimit.ts';

/** Types that the models take and that a message to the host carries without delay. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'];

type ImageReading =
  | { readonly kind: 'read'; readonly attachment: Attachment }
  | { readonly kind: 'refused'; readonly sentence: string };

/** `onlyImages`: where text comes along with files of other types, the text is what is wanted. */
export function filesIn(data: DataTransfer | null, which: 'all' | 'onlyImages'): readonly File[] {
  const files = [...(data?.files ?? [])];
  return which === 'all' ? files : files.filter(isImage);
}

export async function readImage(file: File): Promise<ImageReading> {
  const name = file.name || t('Image');
  if (!isImage(file))
    return {
      kind: 'refused',
      sentence: t("{0} was not attached. Type @ and its name, or drop it from VS Code's explorer.", name),
    };
  if (!imageTypes.includes(file.type))
    return { kind: 'refused', sentence: t('{0} was not attached. Use a PNG, JPEG or WebP image.', name) };
  if (file.size > mediaLimitBytes)
    return {
      kind: 'refused',
      sentence: t(
        '{0} was not attached. It is larger than {1} MB: make it smaller first.',
        name,
        mediaLimitMb,
      ),
    };
  try {
    const data = await readBase64(file);
    return { kind: 'read', attachment: { kind: 'image', name, blob: { mimeType: file.type, data } } };
  } catch {
    // A file that vanished or may not be read; the browser says no more about it.
    return {
      kind: 'refused',
      sentence: t('{0} was not attached. It cannot be read: try another copy.', name),
    };
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
