import { headOf } from '../../base/text.ts';
/** Converts a title to a file name that is valid on every system: `fixing-the-race.md`. */
export function exportFileName(title: string, extension: 'md' | 'json'): string {
  const words = headOf(
    title
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-'),
    60,
  ).replace(/^-+|-+$/g, '');
  // Windows reserves these names for devices.
  const isTaken = /^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(words);
  return `${words === '' || isTaken ? 'folio-session' : words}.${extension}`;
}
