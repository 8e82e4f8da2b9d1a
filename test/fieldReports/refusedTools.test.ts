import { describe, expect, it } from 'vitest';
import { describeServers } from '../../src/extension/core/commands/servers/describeServers.ts';
import { keyOfTool } from '../../src/extension/core/history/refusedParts.ts';
import { ModelError } from '../../src/extension/core/model.ts';
import { mcpWorld } from '../mcp/support/mcpWorld.ts';
import { WebPeer } from '../mcp/support/webPeer.ts';
import { makeWorld } from '../support/conversation.ts';
import { eachTest } from '../support/eachTest.ts';
import { PictureWorld, type WireName } from '../support/pictureWorld.ts';
import type { WorldCase } from './report.ts';

interface ToolCase extends WorldCase {
  readonly wire: WireName;
  /** `{at}` stands for the place of the tool among those declared. */
  readonly words: string;
}

const tool = 'grep_search';

const cases: readonly ToolCase[] = [
  {
    title: 'by place',
    source: 'report',
    wire: 'anthropic',
    words: 'tools.{at}.custom.input_schema: JSON schema is invalid.',
  },
  {
    title: 'by name',
    source: 'report',
    wire: 'openai',
    words: `Invalid schema for function '${tool}': true is not of type 'array'.`,
  },
  {
    title: 'by place',
    source: 'report',
    wire: 'openai-responses',
    words: "Invalid 'tools[{at}].name': string does not match pattern.",
  },
  {
    title: 'by place',
    source: 'report',
    wire: 'gemini',
    words:
      'GenerateContentRequest.tools[0].function_declarations[{at}].parameters.properties: should be non-empty',
  },
];

describe('a tool that a service refuses', () => {
  const world = eachTest(() => PictureWorld.make());

  it.each(cases)(
    'is left out of the declarations once and for all: $wire $title',
    async ({ wire, words }) => {
      const server = await world.server(wire);
      server.sayLater(body => {
        const names = [...body.matchAll(/"name":"(\w+)","(?:description|parameters)"/g)].map(
          ([, name]) => name,
        );
        const at = names.indexOf(tool);
        return at < 0 ? { text: 'Done.' } : { status: 400, words: words.replace('{at}', String(at)) };
      });
      const first = await world.run(wire, 'go');
      expect(first.code, first.error).toBe(0);
      expect(server.requests.length).toBe(2);
      const second = await world.run(wire, 'continue', '--resume', 'latest');
      expect(second.code, second.error).toBe(0);
      expect(server.requests.length).toBe(3);
      // The others are still declared.
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"read_file"');
    },
  );
});

it('a refused tool of a server is named on its page, with the reason', async () => {
  const peer = await WebPeer.start();
  const world = await mcpWorld();
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'ready');
  const name = 'mcp_web_act';
  const refused = { words: 'tools.0: bad name', tries: [[keyOfTool(name)]], isGuess: false };
  const error = new ModelError('badRequest', () => 'Refused.', { retryable: false, refused });
  const { session } = makeWorld({
    answers: [{ error }, { parts: [{ kind: 'text', text: 'Done.' }] }],
    tools: world.tools(),
  });
  expect(await session.send('go')).toEqual({ kind: 'rested' });
  const page = world.servers.list(path => path);
  expect(page[0]?.tools).toMatchObject([{ name: 'act', refused: expect.stringContaining('bad name') }]);
  expect(describeServers(page, 'tools')).toContain('the model service rejected it');
  await session.dispose();
  await world.end();
  await peer.end();
});
