import type { Attachment } from '../../protocol/intentions.ts';

export type PictureAttachment = Extract<Attachment, { kind: 'image' }>;
export type Picture = PictureAttachment['blob'];

/** Returns a data URL, since the page may load nothing from elsewhere. */
export function dataUrlOf({ mimeType, data }: Picture): string {
  return `data:${mimeType};base64,${data}`;
}

export function readBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
