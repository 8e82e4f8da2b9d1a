import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { Effect } from '../../../protocol/values.ts';
import { messageOf } from '../../base/errors.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { cutMiddle, headOf, oneLine, sanitiseLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, type CallContext, defineTool, ToolFailure } from '../../core/tool.ts';
import type { ListedTool } from '../connection/parseListed.ts';
import { taskHandleOf } from '../content/taskHandle.ts';
import type { ManagedServer } from '../managedServer.ts';
import { SignInNeededError } from '../signIn/signInNeeded.ts';
import { detachedTaskResult } from './detachedTask.ts';
import { toToolResult } from './resultContent.ts';
import { simplifySchema } from './simplifySchema.ts';

type Args = Readonly<Record<string, unknown>>;

/** @param hear gets the server's answer as received */
export function serverTool(
  server: ManagedServer,
  tool: ListedTool,
  name: string,
  hear?: (answer: Args) => void,
): AnyTool {
  const { config } = server;
  const about = tool.title ?? tool.name;
  const of = {
    kind: 'mcp' as const,
    server: config.name,
    tool: tool.name,
    hints: tool.hints,
    ofWorkspace: config.origin === 'workspace' || undefined,
  };
  return defineTool<Args, undefined>({
    name,
    description: describeTool(config.name, tool),
    schema: simplifySchema(tool.inputSchema),
    output: tool.outputSchema && simplifySchema(tool.outputSchema),
    input: lazySchema(() => checkedInput(server, tool)),
    effect: effectOf(server, tool),
    of,
    refused: words => server.refuse(tool.name, words),
    title: args => `${config.name}: ${sanitiseLine(about, 60)}${shortArguments(args)}`,
    prepare: async args => {
      // No confirmation is needed for a tool that cannot run.
      if (server.status.kind === 'needsSignIn') throw signInFailure(server);
      return {
        plan: undefined,
        subject: { kind: 'other', detail: describeCall(server, tool, args) },
        target: of,
      };
    },
    run: async (args, _plan, call, surface) => {
      // A script can only use the final result.
      const detaches = server.detachesTasks && !surface?.forScript;
      const answer = await callServer(server, tool, args, { ...call, detaches });
      hear?.(answer);
      const left = taskHandleOf(answer);
      if (left) return detachedTaskResult(config.name, left);
      const result = await toToolResult(answer, call, surface?.forScript);
      // A page that calls a tool shows the result itself.
      if (tool.page === undefined || hear || !server.showsApps) return result;
      const { saveAppInput } = await import('./saveAppInput.ts');
      const app = await saveAppInput(
        { server: config.name, uri: tool.page },
        { tool: tool.name, arguments: args, result: answer },
        call,
      );
      return { ...result, display: { ...result.display, app } };
    },
  });
}

/**
 * Trusts a server's read-only hint if the user chose the server. A workspace server needs confirmation for each tool.
 * An open-world tool sends the arguments elsewhere, like fetching a page.
 */
function effectOf({ config }: ManagedServer, { readOnly, openWorld }: ListedTool): Effect {
  if (!readOnly || config.origin === 'workspace') return 'run';
  return openWorld ? 'fetch' : 'read';
}

async function callServer(
  server: ManagedServer,
  tool: ListedTool,
  args: Args,
  { callId, signal, write, ask, detaches }: CallContext & { readonly detaches: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  let task: string | undefined;
  const begun = (id: string) => {
    task = sanitiseLine(id, 1_000);
    // The journal records it, so that the task can be followed after a crash.
    write(`${t('Task {0} of the server {1}', task, server.config.name)}\n`);
  };
  try {
    return await server.call(
      {
        tool: tool.name,
        args,
        inputSchema: tool.inputSchema,
        callId,
        signal,
        detaches,
        asTask: tool.asTask,
        begun,
        repeatable:
          server.config.origin !== 'workspace' && (tool.readOnly || tool.hints.idempotentHint === true),
        progress: line => write(`${oneLine(line, 500)}\n`),
      },
      ask,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SignInNeededError) throw signInFailure(server);
    const { ServerRefusal } = await import('../connection/serverErrors.ts');
    if (!(error instanceof ServerRefusal))
      throw new ToolFailure(() => [messageOf(error), ...howToFollow(task)].join(' '));
    // The text is the server's.
    const said = wrapUntrusted('untrusted_content', error.english);
    throw new ToolFailure(`The server ${server.config.name} refused the call:\n${said}`, () =>
      oneLine(error.say(), 200),
    );
  }
}

function howToFollow(task: string | undefined): readonly string[] {
  return task === undefined
    ? []
    : [t('Its task {0} may still be running: use read_mcp_task to follow it.', task)];
}

function signInFailure({ config, isAttended }: ManagedServer): ToolFailure {
  const who = isAttended ? 'they are told so' : 'nobody is there to do it';
  return new ToolFailure(
    `The server ${config.name} does nothing until the user signs in, and ${who}; continue without it.`,
    () => t('Requires you to sign in on the servers page'),
  );
}

/** Created on first use, since a server may have hundreds of tools of which few are called. */
function checkedInput(server: ManagedServer, tool: ListedTool): z.ZodType<Args> {
  const check = server.checker(tool.inputSchema);
  return z.record(z.string(), z.unknown()).superRefine((value, context) => {
    const problem = check(value);
    if (problem === undefined) return;
    context.addIssue({
      code: 'custom',
      message: headOf(problem.replace(/\bdata\b\/?/g, '').trim(), 1_000),
    });
  });
}

function describeTool(server: string, { name, title, description }: ListedTool): string {
  const said = description || title || name;
  return `${said} (Tool of the server ${sanitiseLine(server, 60)}.)`;
}

/** Describes the call to the user, in full up to a limit. */
function describeCall({ config }: ManagedServer, { name, title }: ListedTool, args: Args): string {
  const shown = title === undefined || title === name ? name : `${name} (${title})`;
  const json = JSON.stringify(args, undefined, 2);
  return escapeInvisibleText(
    `${t('{0} of the server {1}', shown, config.name)}\n${cutMiddle(json, maxShownLength, 0.7)}`,
  );
}

const maxShownLength = 8_000;

function shortArguments(args: Args): string {
  const [first] = Object.values(args).filter(value => typeof value === 'string' || typeof value === 'number');
  return first === undefined ? '' : ` ${sanitiseLine(String(first), 60)}`;
}
