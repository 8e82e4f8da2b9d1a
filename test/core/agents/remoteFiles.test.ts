/* Reads files that describe agents on other servers. */

import { describe, expect, it } from 'vitest';
import { readAgents } from '../../../src/extension/core/agents/readAgents.ts';
import type { Customization } from '../../../src/extension/core/customizations/files/customization.ts';

const path = '/work/.gemini/agents/far.md';

function file(front: string, body = ''): Customization {
  const text = `---\n${front}\n---\n${body}`;
  return {
    kind: 'agent',
    name: 'far',
    origin: { kind: 'workspace' },
    path,
    detail: '',
    format: 'agent',
    text,
  };
}

async function read(front: string, body?: string) {
  const { entries, problems } = await readAgents([file(front, body)]);
  return { agents: [...entries.values()], problems };
}

const url = 'agent_card_url: https://agents.example/card.json';

describe('an agent on another server', () => {
  it('is read with all it says', async () => {
    const { agents, problems } = await read(
      `kind: remote\nname: Far Away\ndescription: Works elsewhere\n${url}\nmax_turns: 4\ntimeout_mins: 2\nauth:\n  type: http\n  scheme: Bearer\n  token: $FAR_TOKEN`,
    );
    expect({ agents, problems }).toEqual({
      agents: [
        {
          name: 'far-away',
          description: 'Works elsewhere',
          maxTurns: 4,
          maxMs: 120_000,
          remote: {
            origin: 'https://agents.example',
            card: 'https://agents.example/card.json',
            login: {
              kind: 'header',
              header: 'authorization',
              prefix: 'Bearer ',
              secret: { variable: 'FAR_TOKEN' },
            },
            ofWorkspace: true,
          },
        },
      ],
      problems: [],
    });
  });

  it('needs no more than its card', async () => {
    const { agents } = await read(url);
    expect(agents).toMatchObject([
      { name: 'far', description: 'An agent on agents.example', maxTurns: 30, maxMs: 1_800_000 },
    ]);
  });

  it('may bring its card along', async () => {
    const card = {
      description: 'Paints',
      url: 'https://paint.example/a2a',
      capabilities: { streaming: true },
    };
    const { agents } = await read(`kind: remote\nagent_card_json: '${JSON.stringify(card)}'`);
    expect(agents).toMatchObject([
      {
        description: 'Paints',
        remote: {
          origin: 'https://paint.example',
          card: { url: 'https://paint.example/a2a', version: '0.3', streams: true },
        },
      },
    ]);
  });

  it('may stand in one file with others', async () => {
    const { agents, problems } = await read(
      `- kind: remote\n  name: one\n  ${url}\n- name: two\n  agent_card_url: http://evil.example/card\n- name: three\n  ${url}`,
    );
    expect(agents.map(({ name }) => name).sort()).toEqual(['one', 'three']);
    expect(problems).toHaveLength(1);
  });

  it.each([
    [
      'apiKey',
      'type: apiKey\n  key: ${FAR}',
      { header: 'x-api-key', prefix: '', secret: { variable: 'FAR' } },
    ],
    [
      'a key with a header',
      'type: apiKey\n  key: k\n  name: X-Key',
      { header: 'x-key', secret: { text: 'k' } },
    ],
    ['a dollar', 'type: apiKey\n  key: $$x', { secret: { text: '$x' } }],
    [
      'two variables',
      'type: http\n  scheme: Basic\n  username: $U\n  password: $P',
      { kind: 'basic', user: { variable: 'U' }, password: { variable: 'P' } },
    ],
    [
      'a scheme of its own',
      'type: http\n  scheme: Token\n  value: $V',
      { prefix: 'Token ', secret: { variable: 'V' } },
    ],
  ])('proves who asks: %s', async (_name, auth, login) => {
    const { agents, problems } = await read(`${url}\nauth:\n  ${auth}`);
    expect(problems).toEqual([]);
    expect(agents).toMatchObject([{ remote: { login } }]);
  });

  it.each([
    ['no card', 'kind: remote', 'needs either `agent_card_url` or `agent_card_json`'],
    [
      'two cards',
      `kind: remote\n${url}\nagent_card_json: "{}"`,
      'needs either `agent_card_url` or `agent_card_json`',
    ],
    [
      'an open connection',
      'agent_card_url: http://agents.example/card',
      'needs an address with https:// as `agent_card_url` (http:// only on this computer)',
    ],
    [
      'a card that is no JSON',
      'kind: remote\nagent_card_json: "{"',
      /has a card that cannot be used: `agent_card_json` is not JSON\./,
    ],
    [
      'a card without an address',
      'kind: remote\nagent_card_json: "{}"',
      /has a card that cannot be used: .* has no address/,
    ],
    [
      'a command',
      `${url}\nauth:\n  type: apiKey\n  key: "!cat /secret-place"`,
      /^(?!.*secret-place).*uses a command/,
    ],
    [
      'a type of sign-in',
      `${url}\nauth:\n  type: oauth\n  client_id: x`,
      /has an `auth` of a type that Folio does not know/,
    ],
    [
      'half a login',
      `${url}\nauth:\n  type: http\n  scheme: Bearer`,
      'has an `auth` that lacks its key, token or scheme',
    ],
    [
      'a header of the connection',
      `${url}\nauth:\n  type: apiKey\n  key: $K\n  name: Host`,
      'has a header in `auth` that is not valid',
    ],
  ])('is not used with %s', async (_name, front, problem) => {
    const { agents, problems } = await read(front);
    expect(agents).toEqual([]);
    if (problem instanceof RegExp) expect(problems).toEqual([expect.stringMatching(problem)]);
    else expect(problems).toEqual([`The agent ${path} ${problem}. It is ignored.`]);
  });

  it('has no use for what is said of work that is done here', async () => {
    const { agents, problems } = await read(`${url}\ntools: [read_file]\nmodel: x`);
    expect(agents).toHaveLength(1);
    expect(problems).toEqual([`The agent ${path}: these keys are ignored: tools, model.`]);
  });
});
