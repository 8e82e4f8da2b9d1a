/*
 * Lasting permissions: requests that a user answered with "always". They are not rules. A grant answers a request of a
 * default rule, an extension or the workspace. It never overrides a deny, a request from a rule of the user or an
 * administrator, or a request that no permission removes.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { PermissionScope } from '../../../protocol/permissions.ts';
import type { CallTarget } from '../tool.ts';

/** Replaces the tool's name, which is never empty, and means the resources of the server. */
const resourcesOf = '';

/** As narrow as the request. Names of servers and tools are compared exactly. */
export type GrantSubject =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'memory'; readonly path: string }
  | { readonly kind: 'command'; readonly root: string }
  | { readonly kind: 'host'; readonly host: string }
  /** Tasks for agents on this server. */
  | { readonly kind: 'agentServer'; readonly origin: string }
  /** Every sandboxed command may write there. */
  | { readonly kind: 'sandboxWrite'; readonly path: string }
  | { readonly kind: 'sandboxHost'; readonly host: string }
  | { readonly kind: 'mcpTool'; readonly server: string; readonly tool: string }
  | { readonly kind: 'mcpServer'; readonly server: string };

export interface Grant {
  readonly id: string;
  readonly subject: GrantSubject;
  readonly scope: PermissionScope;
  /** Absolute. Set for the scope `workspace`. */
  readonly workspace?: string;
  /** Line in the file, from 1; absent for grants of the session. */
  readonly line?: number;
}

export function makeGrant(subject: GrantSubject, scope: PermissionScope, workspace?: string): Grant {
  const place = { workspace: scope === 'workspace' ? workspace : undefined };
  const text = JSON.stringify([subject, scope, place]);
  const id = `always-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  return { id, subject, scope, workspace: place.workspace };
}

/** True if the grant covers the call. A command is covered by its root. */
export function grantCovers(
  { subject, scope }: Grant,
  target: CallTarget | undefined,
  path?: string,
): boolean {
  // A grant for all workspaces means the server that the user configured, not a workspace's server of that name.
  if (scope === 'user' && target?.kind === 'mcp' && target.ofWorkspace) return false;
  switch (subject.kind) {
    case 'path':
      return target?.kind === 'paths' && target.access === 'write' && subject.path === path;
    case 'memory':
      return target?.kind === 'memory' && subject.path === target.path;
    case 'command':
    case 'sandboxWrite':
    case 'sandboxHost':
      return false;
    case 'host':
      return (
        target?.kind === 'urls' &&
        target.urls.length > 0 &&
        target.urls.every(url => hostOf(url) === subject.host)
      );
    case 'agentServer':
      return target?.kind === 'agent' && target.origin === subject.origin;
    case 'mcpTool':
      return target?.kind === 'mcp' && target.server === subject.server && target.tool === subject.tool;
    case 'mcpServer':
      return target?.kind === 'mcp' && target.server === subject.server;
  }
}

export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** Verb phrase for buttons: `edit invoice.ts`. Command labels add their verb once for all. */
export function grantPhrase(subject: GrantSubject): string {
  switch (subject.kind) {
    case 'path':
      return t('edit {0}', subject.path.split(/[\\/]/).at(-1) ?? '');
    case 'memory':
      return t('remember facts');
    case 'command':
      return anyOf(subject.root);
    case 'host':
      return t('read {0}', subject.host);
    case 'agentServer':
      return t('send tasks to {0}', subject.origin);
    case 'sandboxWrite':
      return t('write to {0}', subject.path);
    case 'sandboxHost':
      return t('connect to {0}', subject.host);
    case 'mcpTool':
      return subject.tool === resourcesOf
        ? t('read resources of {0}', subject.server)
        : t('use {0} of {1}', subject.tool, subject.server);
    case 'mcpServer':
      return t('use all of {0}', subject.server);
  }
}

/** The one notation for a command with any arguments. */
function anyOf(root: string): string {
  return `${root} *`;
}

/** Noun phrase for the list. */
export function describeGrant(subject: GrantSubject): string {
  switch (subject.kind) {
    case 'path':
      return t('Edits of {0}', subject.path);
    case 'memory':
      return t('Facts saved in {0}', subject.path);
    case 'command':
      return t('Commands {0}', anyOf(subject.root));
    case 'host':
      return t('Reading from {0}', subject.host);
    case 'agentServer':
      return t('Tasks for agents at {0}', subject.origin);
    case 'sandboxWrite':
      return t('Commands in the sandbox write to {0}', subject.path);
    case 'sandboxHost':
      return t('Commands in the sandbox connect to {0}', subject.host);
    case 'mcpTool':
      return subject.tool === resourcesOf
        ? t('Resources of the server {0}', subject.server)
        : t('The tool {0} of the server {1}', subject.tool, subject.server);
    case 'mcpServer':
      return t('All tools of the server {0}', subject.server);
  }
}

const entry = lazySchema(() =>
  z.union([
    z.strictObject({ path: z.string(), workspace: z.string().optional() }),
    z.strictObject({ memory: z.string(), workspace: z.string().optional() }),
    z.strictObject({ command: z.string().min(1), workspace: z.string().optional() }),
    z.strictObject({ host: z.string().min(1), workspace: z.string().optional() }),
    z.strictObject({ origin: z.string().min(1), workspace: z.string().optional() }),
    z.strictObject({ sandboxWrite: z.string().min(1), workspace: z.string().optional() }),
    z.strictObject({ sandboxHost: z.string().min(1), workspace: z.string().optional() }),
    z.strictObject({ server: z.string().min(1), tool: z.string(), workspace: z.string().optional() }),
    z.strictObject({ server: z.string().min(1), workspace: z.string().optional() }),
  ]),
);

/** Rejects invalid TOML. Unknown entries grant nothing. */
export async function parseGrants(text: string): Promise<readonly Grant[]> {
  const { parse } = await import('smol-toml');
  const { always = [] } = z.looseObject({ always: z.array(z.unknown()).optional() }).parse(parse(text));
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === header ? [index + 1] : []));
  return always.flatMap((value, index) => {
    const parsed = entry().safeParse(value);
    if (!parsed.success) return [];
    const { workspace } = parsed.data;
    const grant = makeGrant(
      subjectOf(parsed.data),
      workspace === undefined ? 'user' : 'workspace',
      workspace,
    );
    return [lines.length === always.length ? { ...grant, line: lines[index] } : grant];
  });
}

/** Appends grants and preserves the existing text. */
export function addGrants(text: string, grants: readonly Grant[]): string {
  const start = text.trim() === '' ? heading : `${text.trimEnd()}\n`;
  return [start, ...grants.map(writeGrant)].join('\n');
}

export async function removeGrant(text: string, id: string): Promise<string> {
  const [top = '', ...blocks] = text.split(/^(?=\s*\[\[always\]\]\s*$)/m);
  const kept: string[] = [];
  for (const block of blocks) {
    const [grant] = await parseGrants(block);
    if (grant?.id !== id) kept.push(block);
  }
  return top + kept.join('');
}

const header = '[[always]]';
const heading = '# What you told Folio to allow always. Folio writes here; you may remove entries.\n';

function writeGrant({ subject, workspace }: Grant): string {
  const lines = Object.entries(membersOf(subject));
  if (workspace !== undefined) lines.push(['workspace', workspace]);
  return `${[header, ...lines.map(([key, value]) => `${key} = ${tomlText(value)}`)].join('\n')}\n`;
}

/** Omits the kind, which follows from the member names. */
function membersOf(subject: GrantSubject): Readonly<Record<string, string>> {
  if (subject.kind === 'memory') return { memory: subject.path };
  if (subject.kind === 'command') return { command: subject.root };
  if (subject.kind === 'sandboxWrite') return { sandboxWrite: subject.path };
  if (subject.kind === 'sandboxHost') return { sandboxHost: subject.host };
  const { kind: _kind, ...members } = subject;
  return members;
}

/**
 * Writes a TOML basic string. JSON differs in one control character and in lone surrogates, which TOML forbids. Line
 * separators that JSON leaves unescaped would break the removal of entries, which works by lines.
 */
function tomlText(value: string): string {
  if (/\p{Cs}/u.test(value)) throw new Error('a name in it is no valid text.');
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u007f\u2028\u2029]/g, escaped);
}

function subjectOf(data: z.infer<ReturnType<typeof entry>>): GrantSubject {
  if ('path' in data) return { kind: 'path', path: data.path };
  if ('memory' in data) return { kind: 'memory', path: data.memory };
  if ('command' in data) return { kind: 'command', root: data.command };
  if ('sandboxWrite' in data) return { kind: 'sandboxWrite', path: data.sandboxWrite };
  if ('sandboxHost' in data) return { kind: 'sandboxHost', host: data.sandboxHost };
  if ('origin' in data) return { kind: 'agentServer', origin: data.origin };
  if ('host' in data) return { kind: 'host', host: data.host };
  if ('tool' in data) return { kind: 'mcpTool', server: data.server, tool: data.tool };
  return { kind: 'mcpServer', server: data.server };
}
