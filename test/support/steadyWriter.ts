/* A program for tests that kill it: writes one letter after the other over the whole of a file, for ever. */

import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { utf8Format } from '../../src/extension/platform/fileSystem.ts';

const path = process.argv[2]!;
const size = Number(process.argv[3]);
const files = new NodeFileSystem();

for (let round = 0; ; round++) {
  await files.writeText(path, 'bcdefghij'[round % 9]!.repeat(size), utf8Format);
  if (round === 0) process.stdout.write('writing\n');
}
