import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of Folio's documentation: the pages of the repository in a checkout, else the file that the build joins
 * beside the code.
 */
export function findDocs(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  const pages = ['../docs', '../../docs', '../../../docs'].map(path => join(here, path));
  return (
    pages.find(place => existsSync(join(place, 'guide.md'))) ??
    pages.find(place => existsSync(join(place, 'folio.md')))
  );
}
