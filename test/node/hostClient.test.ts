import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HostClient } from '../../src/extension/headless/client/hostClient.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

it('gives its order to the next host when one that is about to end closes without a word', async () => {
  const client = new HostClient(await temporaryFolder('folio-host-'), 'none');
  await client.folder.prepare();
  const address = client.folder.makeAddress();
  const orders: string[] = [];
  const welcome = (socket: Socket) =>
    socket.once('data', data => {
      orders.push(JSON.parse(data.toString()).order.type);
      if (orders.length === 1) socket.destroy();
      else socket.end('{"type":"accepted"}\n{"type":"opened","sessionId":"s1"}\n');
    });
  const server = createServer(welcome);
  onTestFinished(() => void server.close());
  await new Promise<void>(resolve => server.listen(address.socket, resolve));
  await client.folder.writeAddress(address);
  const connection = await client.connectOrStart({ type: 'run', args: [], cwd: '/', env: {} });
  expect(orders).toEqual(['run', 'run']);
  expect(await connection.next()).toEqual({ type: 'accepted' });
  expect(await connection.next()).toEqual({ type: 'opened', sessionId: 's1' });
  expect(await connection.next()).toBeUndefined();
});
