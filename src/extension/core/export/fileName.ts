import { headOf } from '../../base/text.ts';
/** A file name that every system takes, from the title of a chapter or session: `fixing-the-race.md`. */
export function exportFileName(title: string, extension: 'md' | 'json'): string {
  const words = headOf(
    title
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-'),
    60,
  ).replace(/^-+|-+$/g, '');
  // Windows keeps some names for devices.
  const isTaken = /^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(words);
  return `${words === '' || isTaken ? 'folio-session' : words}.${extension}`;
}
