/*
 * An external agent for tests, built on the official ACP library. The prompt is its script, one action a line:
 * `say Hello`, `write a.txt text`, `past a.txt text`, `run echo hi`, `ask a.txt old new`, `flood 1000`, `pid`,
 * `switch code`, `chosen`, `crash`, `make a.txt text`, `own` and `race` like `ask`, `bash touch a`. Its arguments and
 * `SCRIPTED_CAN` enable abilities: `load`, `resume`, `options` or `lists` for mode and model, and `refuse`, which keeps
 * the small model.
 */

import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
  type SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk';

const { session, initialize } = methods.agent;
const { fs, terminal, session: clientSession } = methods.client;
const can = new Set([...process.argv.slice(2), ...(process.env.SCRIPTED_CAN ?? '').split(',')]);

/** Received requests, for tests. */
const said: string[] = [];
let cwd = process.cwd();
let cancelled = () => {};
let mode = 'plan';
let model = 'small';
let isFast = false;
/** True if the client supports switches. */
let knowsSwitches = false;

/** Returns options as config options, or as the older lists. */
function offers() {
  if (can.has('options')) return { configOptions: configOptions() };
  if (!can.has('lists')) return {};
  const availableModes = [
    { id: 'plan', name: 'Plan' },
    { id: 'code', name: 'Code' },
  ];
  const availableModels = [
    { modelId: 'small', name: 'Small' },
    { modelId: 'large', name: 'Large' },
  ];
  return {
    modes: { currentModeId: mode, availableModes },
    models: { currentModelId: model, availableModels },
  };
}

function configOptions(): SessionConfigOption[] {
  const options = (...names: readonly string[]) => names.map(name => ({ value: name.toLowerCase(), name }));
  const select = { type: 'select' } as const;
  return [
    {
      ...select,
      id: 'm',
      name: 'Mode',
      category: 'mode',
      currentValue: mode,
      options: options('Plan', 'Code'),
    },
    {
      ...select,
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: [{ group: 'g', name: 'Own', options: options('Small', 'Large') }],
    },
    ...(knowsSwitches ? [{ type: 'boolean', id: 'fast', name: 'Fast', currentValue: isFast } as const] : []),
  ];
}

function choose(id: string, value: string): void {
  note(`choose ${id} ${value}`);
  if (value === 'large' && can.has('refuse'))
    throw RequestError.invalidParams(undefined, 'Large is sold out.');
  if (id === 'model') model = value;
  else mode = value;
}

/** Reads the value of a switch, which has the type boolean. */
function switched(given: SetSessionConfigOptionRequest): boolean {
  if ('type' in given && given.type === 'boolean' && typeof given.value === 'boolean') return given.value;
  throw RequestError.invalidParams(undefined, 'A switch takes a boolean.');
}

function note(line: string): void {
  said.push(line);
  if (process.env.SCRIPTED_LOG) writeFileSync(process.env.SCRIPTED_LOG, said.join('\n'));
}

const app = agent({ name: 'scripted' })
  .onRequest(initialize, ({ params }) => {
    knowsSwitches = Boolean(params.clientCapabilities?.session?.configOptions?.boolean);
    return {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: can.has('load'),
        promptCapabilities: can.has('files') ? { image: true, embeddedContext: true } : {},
        sessionCapabilities: can.has('resume') ? { resume: {} } : {},
      },
      agentInfo: { name: 'scripted', version: '1' },
    };
  })
  .onRequest(session.new, ({ params }) => {
    cwd = params.cwd;
    note(`new key=${process.env.GEMINI_API_KEY ?? 'none'} own=${process.env.OWN ?? 'none'}`);
    if (params.mcpServers.length > 0) note(`servers ${JSON.stringify(params.mcpServers)}`);
    return { sessionId: 'scripted-1', ...offers() };
  })
  .onRequest(session.load, async ({ params, client }) => {
    cwd = params.cwd;
    note(`load ${params.sessionId}`);
    const old = { type: 'text', text: 'This was said before.' } as const;
    await send(client, params.sessionId, { sessionUpdate: 'agent_message_chunk', content: old });
    return {};
  })
  .onRequest(session.resume, ({ params }) => {
    cwd = params.cwd;
    note(`resume ${params.sessionId}`);
    return {};
  })
  .onRequest(session.setMode, ({ params }) => choose('m', params.modeId))
  .onRequest(
    'session/set_model',
    given => given as { readonly modelId: string },
    ({ params }) => choose('model', params.modelId),
  )
  .onRequest(session.setConfigOption, ({ params }) => {
    if (params.configId === 'fast') isFast = switched(params);
    else choose(params.configId, String(params.value));
    return { configOptions: configOptions() };
  })
  .onNotification(session.cancel, () => {
    note('cancel');
    cancelled();
  })
  .onRequest(session.prompt, async ({ params, client }) => {
    const text = params.prompt
      .map(block => (block.type === 'text' ? block.text : `[${block.type}]`))
      .join('\n');
    note(`prompt ${text}`);
    const script = params.prompt.at(-1);
    const lines = script?.type === 'text' ? script.text.split('\n') : [];
    for (const line of lines) {
      const end = await act(line, client, params.sessionId);
      if (end) return { stopReason: end };
    }
    return { stopReason: 'end_turn' };
  });

async function act(
  line: string,
  client: AgentContext,
  sessionId: string,
): Promise<'cancelled' | 'refusal' | undefined> {
  const [deed, ...words] = line.trim().split(' ');
  const [first = '', ...others] = words;
  const rest = others.join(' ');
  const speak = (text: string) =>
    send(client, sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const answered = async (work: () => Promise<string>) =>
    speak(await work().catch(error => `error: ${error.message}`));
  switch (deed) {
    case 'say':
      return void (await speak(words.join(' ')));
    case 'think': {
      const content = { type: 'text', text: words.join(' ') } as const;
      return void (await send(client, sessionId, { sessionUpdate: 'agent_thought_chunk', content }));
    }
    case 'plan': {
      const entries = words.map((content, at) => ({
        content,
        priority: 'medium' as const,
        status: at === 0 ? ('in_progress' as const) : ('pending' as const),
      }));
      return void (await send(client, sessionId, { sessionUpdate: 'plan', entries }));
    }
    case 'write':
      return void (await answered(async () => {
        await client.request(fs.writeTextFile, { sessionId, path: join(cwd, first), content: `${rest}\n` });
        return `wrote ${first}`;
      }));
    case 'read':
      return void (await answered(
        async () => (await client.request(fs.readTextFile, { sessionId, path: join(cwd, first) })).content,
      ));
    case 'past':
      return void (await writeFile(join(cwd, first), `${rest}\n`));
    case 'run':
      return void (await answered(async () => {
        const command = words.join(' ');
        const { terminalId } = await client.request(terminal.create, { sessionId, command, cwd });
        const { exitCode } = await client.request(terminal.waitForExit, { sessionId, terminalId });
        const { output } = await client.request(terminal.output, { sessionId, terminalId });
        await client.request(terminal.release, { sessionId, terminalId });
        return `exit ${exitCode}: ${output.trim()}`;
      }));
    case 'flood': {
      for (let at = 0; at < Number(first); at++) {
        const entries = [
          { content: `Entry ${at % 3}`, priority: 'low' as const, status: 'pending' as const },
        ];
        await send(client, sessionId, { sessionUpdate: 'plan', entries });
        await speak('.');
      }
      return undefined;
    }
    case 'title':
      return void (await send(client, sessionId, {
        sessionUpdate: 'session_info_update',
        title: words.join(' '),
      }));
    case 'chosen':
      return void (await speak(`${mode} ${model}${isFast ? ' fast' : ''}`));
    case 'switch': {
      mode = first;
      const update: SessionUpdate = can.has('options')
        ? { sessionUpdate: 'config_option_update', configOptions: configOptions() }
        : { sessionUpdate: 'current_mode_update', currentModeId: mode };
      return void (await send(client, sessionId, update));
    }
    case 'pid':
      return void (await speak(`${process.pid}`));
    // Like Gemini CLI, which first reads a new file twice, and expects one specific error.
    case 'make': {
      const path = join(cwd, first);
      for (let at = 0; at < 2; at++) {
        const missing = await client.request(fs.readTextFile, { sessionId, path }).catch(error => error.code);
        if (missing !== -32_002) return void (await speak(`It is there, or ${missing}`));
      }
      await client.request(fs.writeTextFile, { sessionId, path, content: `${rest}\n` });
      return undefined;
    }
    case 'ask':
    // `own`: writes the file itself, like Claude Code; `race`: then also through the client, like opencode.
    case 'own':
    case 'race': {
      const path = join(cwd, first);
      const [oldText = '', newText = ''] = others;
      const { outcome } = await client.request(clientSession.requestPermission, {
        sessionId,
        toolCall: {
          toolCallId: 'edit-1',
          title: `Edit ${first}`,
          kind: 'edit',
          status: 'pending',
          locations: [{ path }],
          content: [{ type: 'diff', path, oldText: `${oldText}\n`, newText: `${newText}\n` }],
        },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      });
      await speak(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome);
      if (outcome.outcome !== 'selected' || outcome.optionId !== 'yes') return undefined;
      if (deed !== 'ask') await writeFile(path, `${newText}\n`);
      if (deed !== 'own')
        await client.request(fs.writeTextFile, { sessionId, path, content: `${newText}\n` });
      await send(client, sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'edit-1',
        status: 'completed',
      });
      return undefined;
    }
    // Like opencode, which first reports a running command, then asks for it.
    case 'bash': {
      const call = { toolCallId: 'bash-1', title: words.join(' '), kind: 'execute' as const };
      const rawInput = { command: words.join(' ') };
      const running = { ...call, rawInput, status: 'in_progress' as const };
      await send(client, sessionId, { sessionUpdate: 'tool_call', ...running });
      const { outcome } = await client.request(clientSession.requestPermission, {
        sessionId,
        toolCall: { ...call, rawInput, status: 'pending' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      const text = `\`\`\`console\n${outcome.outcome}\n\`\`\``;
      const content = [{ type: 'content' as const, content: { type: 'text' as const, text } }];
      const done = { toolCallId: call.toolCallId, status: 'completed' as const, content };
      return void (await send(client, sessionId, { sessionUpdate: 'tool_call_update', ...done }));
    }
    case 'tool': {
      const call = { toolCallId: `tool-${said.length}`, title: words.join(' '), kind: 'search' as const };
      await send(client, sessionId, { sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
      const content = [
        { type: 'content' as const, content: { type: 'text' as const, text: 'two\nmatches' } },
      ];
      return void (await send(client, sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId: call.toolCallId,
        status: 'completed',
        content,
      }));
    }
    case 'hang':
      await new Promise<void>(resolve => (cancelled = resolve));
      return 'cancelled';
    case 'deaf':
      await new Promise(() => {});
      return undefined;
    case 'refuse':
      return 'refusal';
    case 'fail':
      throw RequestError.internalError({ details: words.join(' ') });
    case 'garbage':
      process.stdout.write('Welcome to me!\n{"half": \n[]\n');
      return undefined;
    case 'unknown':
      return void (await send(client, sessionId, { sessionUpdate: 'of_the_future', what: 1 } as never));
    case 'crash':
      process.stderr.write('It broke in two\n');
      process.exit(3);
  }
  return undefined;
}

function send(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(clientSession.update, { sessionId, update });
}

const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
app.connect(ndJsonStream(Writable.toWeb(process.stdout), input));
