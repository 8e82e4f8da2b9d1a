import { MemorySessionStore } from './memorySessionStore.ts';
import { sessionStoreContract } from './sessionStoreContract.ts';

sessionStoreContract('MemorySessionStore', async () => ({
  store: new MemorySessionStore(),
  dispose: () => {},
}));
