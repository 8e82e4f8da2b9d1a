import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { readSentPicture } from '../support/pictureRules.ts';
import { bytesOf, cutOff, png, smallest } from '../support/pictures.ts';
import { PictureWorld, type Say, type WireName } from '../support/pictureWorld.ts';
import type { WorldCase } from './report.ts';

const world = eachTest(() => PictureWorld.make());

/** Faults that the service found in the requests of a run. */
async function faultsOf(wire: WireName): Promise<readonly string[]> {
  return (await world.server(wire)).requests.flatMap(({ fault }) => fault ?? []);
}

const done: Say = { text: 'Done.' };
const large = png({ width: 60, height: 60, bytes: 4.2 * 1024 * 1024 });
const broken = cutOff(png({ width: 99, height: 99, bytes: 900 }));

describe('pictures that a service refuses', () => {
  it.each([
    ['too large', large],
    ['cut off', broken],
  ])('do not stop a run that reads them, and a prompt that names them: %s', async (_what, file) => {
    await writeFile(join(world.workspace, 'a.png'), file);
    const args = { file_path: 'a.png' };
    (await world.server('anthropic')).say({ call: 'read_file', args }, done);
    const { code, error } = await world.run('anthropic', 'look at @a.png');
    expect(code, error).toBe(0);
    expect(await faultsOf('anthropic')).toEqual([]);
  });

  it('go out as smaller copies, which the built program makes', async () => {
    await writeFile(join(world.workspace, 'a.png'), png({ width: 9000, height: 400 }));
    const server = await world.server('anthropic');
    server.say(done);
    const { code, error } = await world.run('anthropic', 'look at @a.png');
    expect(code, error).toBe(0);
    const [, data = ''] = /"data":"([^"]+)"/.exec(JSON.stringify(server.requests.at(-1)?.body)) ?? [];
    expect(readSentPicture(data)).toMatchObject({ width: 1960, height: 87 });
  });

  it.each([
    ['too large', large, 'image/png'],
    ['cut off', broken, 'image/png'],
    ['called by another type', bytesOf(smallest['image/jpeg']), 'image/png'],
  ])('do not stop a prompt that they are pasted into: %s', async (_what, file, mimeType) => {
    const blob = { mimeType, data: file.toString('base64') };
    const attachments = [{ kind: 'image', name: 'Image', blob }];
    (await world.server('anthropic')).say(done);
    const { code, error } = await world.runLines('anthropic', [
      { type: 'prompt.send', text: 'look', attachments },
    ]);
    expect(code, error).toBe(0);
    expect(await faultsOf('anthropic')).toEqual([]);
  });

  it('do not stop a run whose server sends them', async () => {
    const paths = ['a.png', 'b.png'].map(name => join(world.workspace, name));
    for (const [at, file] of [large, broken].entries()) await writeFile(paths[at]!, file);
    const home = join(world.folder, 'home', '.gemini');
    const main = join(
      import.meta.dirname,
      '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
    );
    const files = { command: process.execPath, args: [main, world.workspace], trust: true };
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'settings.json'), JSON.stringify({ mcpServers: { files } }));
    const calls = paths.map(path => ({ call: 'mcp_files_read_media_file', args: { path } }));
    (await world.server('anthropic')).say(...calls, done);
    const { code, error } = await world.run('anthropic', 'look', '--server-start', '240');
    expect(code, error).toBe(0);
    expect(await faultsOf('anthropic')).toEqual([]);
    const last = JSON.stringify((await world.server('anthropic')).requests.at(-1)?.body);
    expect(last.match(/is left out here|"media_type":"image/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('do not stop a session that another provider took them in', async () => {
    const name = 'a.png';
    await writeFile(join(world.workspace, name), large);
    (await world.server('openai')).say({ call: 'read_file', args: { file_path: name } }, done);
    expect((await world.run('openai', 'look')).code).toBe(0);
    (await world.server('anthropic')).say(done);
    const { code, error } = await world.run('anthropic', 'continue', '--resume', 'latest');
    expect(code, error).toBe(0);
    expect(await faultsOf('anthropic')).toEqual([]);
  });
});

interface RefusalCase extends WorldCase {
  readonly wire: WireName;
  readonly status: number;
  /** `{place}` stands for where the picture is. */
  readonly words: string;
}

const refusals: readonly RefusalCase[] = [
  {
    title: 'by place',
    source: 'report',
    wire: 'anthropic',
    status: 400,
    words: '{place}.image.source.base64: image exceeds 3 MB maximum',
  },
  {
    title: 'without a place',
    source: 'report',
    wire: 'anthropic',
    status: 400,
    words: 'Could not process image',
  },
  {
    title: 'by place',
    source: 'report',
    wire: 'openai-responses',
    status: 400,
    words: "Invalid '{place}.image_url'. The image is not taken.",
  },
  {
    title: 'without a place',
    source: 'report',
    wire: 'openai-responses',
    status: 400,
    words: 'The image data you provided does not represent a valid image.',
  },
  { title: 'by place', source: 'trial', wire: 'openai', status: 400, words: "Invalid value at '{place}'" },
  {
    title: 'since the model sees nothing',
    source: 'report',
    wire: 'openai',
    status: 400,
    words: 'This model does not support image input',
  },
  {
    title: 'since the server has no part for it',
    source: 'report',
    wire: 'openai',
    status: 500,
    words: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  },
  {
    title: 'since no provider takes it',
    source: 'report',
    wire: 'openai',
    status: 404,
    words: 'No endpoints found that support image input',
  },
  {
    title: 'since its type is unknown',
    source: 'report',
    wire: 'openai',
    status: 422,
    words: 'messages: unknown variant `image_url`, expected `text`',
  },
  {
    title: 'by place',
    source: 'report',
    wire: 'gemini',
    status: 400,
    words: "Invalid value at '{place}.inline_data.data' (TYPE_BYTES)",
  },
  {
    title: 'without a place',
    source: 'report',
    wire: 'gemini',
    status: 400,
    words: 'Provided image is not valid.',
  },
  {
    title: 'without a reason',
    source: 'report',
    wire: 'gemini',
    status: 400,
    words: 'Request contains an invalid argument.',
  },
];

/** Where the only picture stands in the body, as each service writes places. */
function placeOf(wire: WireName, body: unknown, data: string): string {
  const steps = stepsTo(body, data) ?? [];
  const last = steps.findLastIndex(step => typeof step === 'number');
  const kept = steps.slice(0, last + 1);
  if (wire === 'anthropic')
    return kept.join('.').replace('content.0.content', 'content.0.tool_result.content');
  const place = kept.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return place.slice(1);
}

function stepsTo(value: unknown, data: string): readonly (string | number)[] | undefined {
  if (typeof value === 'string') return value.endsWith(data) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const below = stepsTo(member, data);
    if (below) return [Array.isArray(value) ? Number(key) : key, ...below];
  }
  return undefined;
}

describe('a picture that a service refuses all the same', () => {
  const file = png({ width: 20, height: 20, note: 'refused' });
  const data = file.toString('base64');

  /** It answers only requests without the picture. */
  async function refusing({ wire, status, words }: RefusalCase) {
    const server = await world.server(wire);
    server.sayLater(body =>
      body.includes(data)
        ? { status, words: words.replace('{place}', placeOf(wire, JSON.parse(body), data)) }
        : done,
    );
    return server;
  }

  it.each(refusals)('stays out, also after a resume: $wire $title', async each => {
    const other = png({ width: 21, height: 21, note: 'taken' });
    await writeFile(join(world.workspace, 'b.png'), other);
    await writeFile(join(world.workspace, 'a.png'), file);
    const server = await refusing(each);
    const newest = () => JSON.stringify(server.requests.at(-1)?.body);
    server.say(
      { call: 'read_file', args: { file_path: 'b.png' } },
      { call: 'read_file', args: { file_path: 'a.png' } },
    );
    const first = await world.run(each.wire, 'look');
    expect(first.code, first.error).toBe(0);
    expect(newest()).toContain('is left out here, because the model service refused it');
    // The others stay, where the service has not refused all of them.
    const isKept = newest().includes(other.toString('base64'));
    expect(isKept).toBe(!each.title.startsWith('since') && each.title !== 'without a reason');
    // What is sent after a resume does not depend on the words of the refusal.
    if (each !== refusals.find(({ wire }) => wire === each.wire)) return;
    const before = server.requests.length;
    const second = await world.run(each.wire, 'continue', '--resume', 'latest');
    expect(second.code, second.error).toBe(0);
    expect(server.requests.length).toBe(before + 1);
    expect(newest()).not.toContain(data);
  });

  it('is sent to another model', async () => {
    await writeFile(join(world.workspace, 'a.png'), file);
    const server = await refusing(refusals[0]!);
    server.say({ call: 'read_file', args: { file_path: 'a.png' } });
    expect((await world.run('anthropic', 'look')).code).toBe(0);
    const other = await world.server('openai');
    other.say(done);
    expect((await world.run('openai', 'continue', '--resume', 'latest')).code).toBe(0);
    expect(JSON.stringify(other.requests.at(-1)?.body)).toContain(data);
  });
});
