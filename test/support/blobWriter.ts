/* A process that stores and reads 200 blobs, half of them the same as those of its siblings. */

import { NodeBlobStore } from '../../src/extension/node/sessions/nodeBlobStore.ts';

const [, , root = '', name = ''] = process.argv;
const blobs = new NodeBlobStore(root, 20_000);
const ids: string[] = [];
for (let i = 0; i < 200; i++) {
  ids.push(await blobs.put(Buffer.from(`${i % 2 === 0 ? 'shared' : name} ${i}`.repeat(100))));
}
await blobs.settled();
const found = await Promise.all(ids.map(id => blobs.get(id)));
console.log(`${found.filter(bytes => bytes !== undefined).length} of ${found.length}`);
