import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMediaType, toBase64 } from '../../src/extension/tools/files/mediaType.ts';
import type { Blob, Message } from '../../src/protocol/events.ts';
import { model, requestOf, succeeded, tell, user } from '../support/geminiClient.ts';
import { bytesOf, cutOff, png, smallest } from '../support/pictures.ts';
import { type OpenWire, openWire, wireNames } from '../support/pictureWorld.ts';
import type { WorldCase } from './report.ts';

interface PictureCase extends WorldCase {
  readonly name: string;
  readonly files: readonly Buffer[];
}

const megabyte = 1024 * 1024;
const noise = Buffer.from(Array.from({ length: 2000 }, (_, at) => (at * 7919) % 251));

/** Each is refused by one service at least. */
const pictures: readonly PictureCase[] = [
  {
    title: 'more than 5 MB of Base64',
    source: 'report',
    name: 'a.png',
    files: [png({ width: 60, height: 60, bytes: 4.2 * megabyte })],
  },
  {
    title: 'more than 8,000 pixels wide',
    source: 'service',
    name: 'a.png',
    files: [png({ width: 9000, height: 4 })],
  },
  {
    title: 'more than 8,000 pixels high',
    source: 'report',
    name: 'a.png',
    files: [png({ width: 4, height: 9000 })],
  },
  {
    title: 'more than 2,000 pixels, one of 22',
    source: 'report',
    name: 'a.png',
    files: Array.from({ length: 22 }, (_, at) => png({ width: 2400, height: 3, note: `${at}` })),
  },
  {
    title: 'a PNG that is cut off',
    source: 'report',
    name: 'a.png',
    files: [cutOff(png({ width: 99, height: 99, bytes: 900 }))],
  },
  {
    title: 'a JPEG that is cut off',
    source: 'report',
    name: 'a.jpg',
    files: [cutOff(bytesOf(smallest['image/jpeg']))],
  },
  {
    title: 'a GIF that is cut off',
    source: 'trial',
    name: 'a.gif',
    files: [cutOff(bytesOf(smallest['image/gif']))],
  },
  {
    title: 'a WebP that is cut off',
    source: 'trial',
    name: 'a.webp',
    files: [cutOff(bytesOf(smallest['image/webp']))],
  },
  {
    title: 'a PNG of its signature alone',
    source: 'report',
    name: 'a.png',
    files: [bytesOf('iVBORw0KGgo=')],
  },
  {
    title: 'bytes that are called a PNG',
    source: 'report',
    name: 'a.png',
    files: [Buffer.concat([Buffer.alloc(9), noise])],
  },
  { title: 'a GIF', source: 'report', name: 'a.gif', files: [bytesOf(smallest['image/gif'])] },
  {
    title: 'a bitmap',
    source: 'report',
    name: 'a.bmp',
    files: [Buffer.concat([Buffer.from('BM'), Buffer.alloc(64), noise])],
  },
];

/** Slow to send, so in one place alone. */
const together: PictureCase = {
  title: 'more than a request holds, together',
  source: 'report',
  name: 'a.png',
  files: Array.from({ length: 6 }, (_, at) =>
    png({ width: 9, height: 9, bytes: 3.4 * megabyte, note: `${at}` }),
  ),
};

/** As a tool reads them. */
function blobsOf({ name, files }: PictureCase): readonly Blob[] {
  return files.map(file => ({ mimeType: findMediaType(name, file) ?? 'image/png', data: toBase64(file) }));
}

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

const places: readonly (readonly [string, (blobs: readonly Blob[]) => readonly Message[]])[] = [
  ['of a prompt', blobs => [user(...blobs.map(blob => ({ kind: 'blob', blob }) as const), 'See')]],
  [
    'of a result',
    blobs => [
      user('See'),
      model({ kind: 'call', id: '1', name: 'look', args: {} }),
      user({ kind: 'result', id: '1', name: 'look', ok: true, text: 'seen', blobs }),
    ],
  ],
  [
    'of results of many steps',
    blobs => [
      user('See'),
      ...blobs.flatMap((blob, at) => [
        model({ kind: 'call', id: `${at}`, name: 'look', args: {} }),
        user({ kind: 'result', id: `${at}`, name: 'look', ok: true, text: 'seen', blobs: [blob] }),
      ]),
    ],
  ],
];

describe.each(wireNames)('pictures that %s refuses', wire => {
  let open: OpenWire;
  beforeAll(async () => {
    open = await openWire(wire);
    open.server.sayLater(() => ({ text: 'Done.' }));
  });
  afterAll(() => open.server.dispose());

  async function expectTaken(messages: readonly Message[]): Promise<void> {
    const request = requestOf(messages, { model: open.model, tools: [look] });
    succeeded((await tell(open.provider.stream(request))).end);
    expect(open.server.requests.at(-1)?.fault).toBeUndefined();
  }

  it('are left out where they are more than a request holds, together', () =>
    expectTaken(places[2]![1](blobsOf(together))));

  describe.each(places)('%s', (_place, messagesOf) => {
    it.each(pictures)('are sent smaller or left out: $title', async each => {
      await expectTaken(messagesOf(blobsOf(each)));
    });
  });
});

describe('what the model reads in the place of a picture', () => {
  it.each([
    ['the newest stay when there are too many', 21, 16],
    ['all stay when there are not', 20, 20],
  ])('%s', async (_what, count, sent) => {
    const { server, provider, model: name } = await openWire('bedrock');
    server.say({ text: 'Done.' });
    const blobs = Array.from({ length: count }, (_, at) => ({
      mimeType: 'image/png',
      data: png({ width: 1, height: 1, note: `${at}` }).toString('base64'),
    }));
    const messages = [user(...blobs.map(blob => ({ kind: 'blob', blob }) as const))];
    succeeded((await tell(provider.stream(requestOf(messages, { model: name })))).end);
    const body = JSON.stringify(server.requests.at(-1)?.body);
    await server.dispose();
    expect(body.split('"media_type":"image/png"').length - 1).toBe(sent);
    expect(body).toContain(blobs.at(-1)!.data);
    expect(body.split('is left out here: the service takes 20 pictures at once').length - 1).toBe(
      count - sent,
    );
  });
});
