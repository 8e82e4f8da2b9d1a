import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of Folio's own documentation: beside `dist`, or that of the checkout where the sources run as they are. */
export function findDocs(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ['../docs', '../../docs', '../../../docs'].map(path => join(here, path));
  return places.find(place => existsSync(join(place, 'guide.md')));
}
