import { blobStoreContract } from './blobStoreContract.ts';
import { MemoryBlobStore } from './memoryBlobStore.ts';

blobStoreContract('MemoryBlobStore', async () => ({ blobs: new MemoryBlobStore(), dispose: () => {} }));
