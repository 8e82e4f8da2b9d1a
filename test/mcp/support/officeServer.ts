/*
 * One of five servers with 24 tools each: `node officeServer.ts tracker`. Some tools return data: repositories, issues,
 * shifts. Others echo their input.
 */

import { createInterface } from 'node:readline';

const nouns: Readonly<Record<string, readonly string[]>> = {
  tracker: ['issue', 'milestone', 'label', 'board', 'sprint', 'worklog'],
  code: ['repository', 'branch', 'commit', 'release', 'review', 'pipeline'],
  chat: ['message', 'channel', 'thread', 'reaction', 'member', 'reminder'],
  calendar: ['event', 'shift', 'room', 'absence', 'invitation', 'holiday'],
  files: ['file', 'folder', 'share', 'version', 'comment', 'tag'],
};
const verbs = ['list', 'get', 'create', 'update'];

type Args = Readonly<Record<string, unknown>>;

export const repositories = [
  'billing',
  'orders',
  'search',
  'mobile',
  'website',
  'payments',
  'export',
  'login',
];
const people = ['ada', 'ben', 'cleo', 'dan', 'eva'];

/** Returns the issues of a repository. Every third is a bug. */
export function issuesOf(repository: unknown) {
  const at = repositories.indexOf(String(repository));
  return Array.from({ length: 20 }, (_, number) => ({
    number: at * 100 + number,
    title: `${String(repository)}: something to do, number ${number}`,
    kind: number % 3 === 0 ? 'bug' : 'task',
    assignee: people[(number + at) % people.length]!,
    body: 'Steps to reproduce, what was expected, what happened, and how it was worked around. '.repeat(4),
  }));
}

export const shifts = people.map((user, at) => ({
  user,
  week: at < 2 ? 'this' : 'next',
  phone: `555-${at}`,
}));

const answers: Readonly<Record<string, (args: Args) => object>> = {
  list_repository: () => ({
    repositories: repositories.map(name => ({ name, owner: 'office', isPublic: false })),
  }),
  list_issue: ({ repository }) => ({ issues: issuesOf(repository) }),
  list_shift: () => ({ shifts }),
};

const text = (description: string) => ({ type: 'string', description });

function toolOf(server: string, verb: string, noun: string) {
  const many = verb === 'list';
  return {
    name: `${verb}_${noun}`,
    description: `Lets you ${verb} ${noun}${many ? ' entries' : ''} of the ${server} of the office. Needs the rights of a member, and answers with one object that holds what was found or changed.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...(noun === 'issue' || noun === 'branch'
          ? { repository: text('Name of the repository, without its owner') }
          : {}),
        id: text(`Number of the ${noun}, as other tools give it`),
        state: { type: 'string', enum: ['open', 'closed', 'all'], description: 'Only those in this state' },
        text: text('The words of it, as Markdown'),
        page: { type: 'integer', description: 'Page of the results, from 1' },
        labels: { type: 'array', items: { type: 'string' }, description: 'Only with all of these labels' },
      },
    },
    annotations: { readOnlyHint: verb === 'list' || verb === 'get', openWorldHint: false },
  };
}

function answer(name: string, args: Args): object {
  if (name === 'update_file')
    return { content: [{ type: 'text', text: 'The file is locked by ben.' }], isError: true };
  if (name === 'get_version') return { content: [{ type: 'text', text: 'version 7, of yesterday' }] };
  const data = answers[name]?.(args) ?? { given: args, secrets: process.env.OFFICE_KEY ?? 'none' };
  return { content: [{ type: 'text', text: JSON.stringify(data, undefined, 2) }], structuredContent: data };
}

const [server = ''] = process.argv.slice(2);
if (Object.hasOwn(nouns, server)) {
  const tools = nouns[server]!.flatMap(noun => verbs.map(verb => toolOf(server, verb, noun)));
  createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params } = JSON.parse(line);
    const send = (result: object) =>
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    if (method === 'initialize')
      send({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: server, version: '1' },
      });
    else if (method === 'tools/list') send({ tools });
    else if (method === 'tools/call') send(answer(params.name, params.arguments ?? {}));
    else if (id !== undefined) send({});
  });
}
