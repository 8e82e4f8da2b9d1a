import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaleInThread } from '../../src/extension/compose/scaleInThread.ts';
import { readPictureFacts } from '../../src/extension/models/media/readPictureFacts.ts';
import { findMediaType, toBase64 } from '../../src/extension/tools/files/mediaType.ts';
import type { Blob, Message } from '../../src/protocol/events.ts';
import { model, notify, requestOf, succeeded, user } from '../support/geminiClient.ts';
import { readSentPicture } from '../support/pictureRules.ts';
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

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

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
    const request = requestOf(messages, { model: open.model, tools: [scan] });
    succeeded((await notify(open.provider.stream(request))).end);
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

describe('a picture that can be decoded', () => {
  /** Photographs and screenshots do not get small by encoding alone. */
  const dots = (width: number, height: number) => {
    const pixels = Buffer.alloc((1 + width) * height);
    for (let at = 0, seed = 1; at < pixels.length; at++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
      pixels[at] = at % (1 + width) === 0 ? 0 : seed >>> 24;
    }
    return png({ width, height, rows: pixels });
  };

  it.each([
    ['too wide', 'anthropic', png({ width: 9000, height: 400 }), 'image/png', 1960, 87],
    [
      'too large in bytes alone',
      'anthropic',
      png({ width: 60, height: 40, bytes: 4.2 * megabyte }),
      'image/png',
      60,
      40,
    ],
    ['too large as a PNG at any size', 'anthropic', dots(3000, 2000), 'image/jpeg', 1960, 1307],
    ['of a type that is not taken', 'gemini', bytesOf(smallest['image/gif']), 'image/png', 1, 1],
  ] as const)('is sent smaller: %s', async (_what, wire, file, type, width, height) => {
    const { server, provider, model: name } = await openWire(wire, scaleInThread);
    server.say({ text: 'Done.' });
    const blob = { mimeType: findMediaType('a', file)!, data: toBase64(file) };
    succeeded(
      (await notify(provider.stream(requestOf([user({ kind: 'blob', blob })], { model: name })))).end,
    );
    const body = JSON.stringify(server.requests.at(-1)?.body);
    await server.dispose();
    const [, data = ''] = /"data":"([^"]+)"/.exec(body) ?? [];
    expect(readSentPicture(data)).toEqual({ type, width, height, isWhole: true });
  });

  it('is made in another thread, so that everything else continues', async () => {
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const picture = dots(3000, 2000);
    await scaleInThread(picture, readPictureFacts(picture, 'image/png'), { side: 1000, length: 100_000 });
    clearImmediate(next);
    // The few that loading takes, were it made here.
    expect(turns).toBeGreaterThan(1000);
  });

  it('keeps the turn of a photograph', async () => {
    const scale = scaleInThread;
    const jpeg = (await scale(dots(300, 200), readPictureFacts(dots(300, 200), 'image/png'), {
      side: 300,
      length: 40_000,
    }))!;
    expect(jpeg.mimeType).toBe('image/jpeg');
    const facts = { kind: 'whole', mimeType: 'image/jpeg', width: 300, height: 200, orientation: 6 } as const;
    const turned = (await scale(bytesOf(jpeg.data), facts, { side: 150, length: 40_000 }))!;
    const expected = { kind: 'whole', mimeType: 'image/jpeg', width: 150, height: 100, orientation: 6 };
    expect(readPictureFacts(bytesOf(turned.data), 'image/jpeg')).toEqual(expected);
  });
});

describe('what the model reads in the place of a picture', () => {
  it.each([
    ['the newest stay when there are too many', 101, 96],
    ['all stay when there are not', 100, 100],
  ])('%s', async (_what, count, sent) => {
    const { server, provider, model: name } = await openWire('bedrock');
    server.say({ text: 'Done.' });
    const blobs = Array.from({ length: count }, (_, at) => ({
      mimeType: 'image/png',
      data: png({ width: 1, height: 1, note: `${at}` }).toString('base64'),
    }));
    const messages = [user(...blobs.map(blob => ({ kind: 'blob', blob }) as const))];
    succeeded((await notify(provider.stream(requestOf(messages, { model: name })))).end);
    const body = JSON.stringify(server.requests.at(-1)?.body);
    await server.dispose();
    expect(body.split('"media_type":"image/png"').length - 1).toBe(sent);
    expect(body).toContain(blobs.at(-1)!.data);
    expect(body.split('is left out here: the service takes 100 pictures at once').length - 1).toBe(
      count - sent,
    );
  });
});
