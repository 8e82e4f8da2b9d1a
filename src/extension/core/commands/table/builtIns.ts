import { t } from '../../../../protocol/language.ts';
import { iterate } from '../../../../protocol/pagedList.ts';
import { effectiveModel } from '../../../../protocol/routes.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { effortRows } from '../../../../protocol/words/effortWords.ts';
import { modeWords } from '../../../../protocol/words/modeWords.ts';
import { headOf, oneLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { codeSpan } from '../../export/markdownText.ts';
import { parseMode } from '../approvalModes.ts';
import type { AboutFacts, ArgumentValue, Command, CommandContext, CommandView } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import { chatCommand } from '../families/chatCommand.ts';
import { compareCommand } from '../families/compareCommand.ts';
import { agentsCommand, skillsCommand } from '../families/creationCommands.ts';
import { directoryCommand } from '../families/directoryCommand.ts';
import { extensionsCommand, pluginCommand } from '../families/extensionsCommand.ts';
import { hooksCommand } from '../families/hooksCommand.ts';
import { commandsCommand, policiesCommand, statsCommand } from '../families/listingCommands.ts';
import { mcpCommand } from '../families/mcpCommand.ts';
import { memoryCommand } from '../families/memoryCommand.ts';
import { restoreCommand } from '../families/restoreCommand.ts';
import { isolateCommand, worktreeCommand } from '../families/worktreeCommand.ts';
import { describeUnlisted, matchModelName } from '../matchModelName.ts';
import { formatListedEntries } from '../texts/formatListedEntries.ts';
import { composeInitPrompt } from './composeInitPrompt.ts';

const toolsCommand = () =>
  commandWithSubCommands({
    name: 'tools',
    alone: 'nodesc',
    words: [
      {
        name: 'desc',
        aliases: ['descriptions'],
        description: t('List the tools with everything the model reads about them'),
        run: lists('tool', 'whole'),
      },
      {
        name: 'nodesc',
        aliases: ['nodescriptions'],
        description: t('List the tools that the model has now'),
        run: lists('tool'),
      },
    ],
  });

const authCommand = () =>
  commandWithSubCommands({
    name: 'auth',
    alone: { description: t('Connect a model, or change how it is connected'), run: opens('connect') },
    words: [
      { name: 'signin', aliases: ['login'], description: t('Connect a model'), run: opens('connect') },
      {
        name: 'signout',
        aliases: ['logout'],
        description: t('Remove the stored key'),
        run: opens('signOut'),
      },
    ],
  });

export function builtIns(): readonly Command[] {
  return [
    {
      name: 'help',
      aliases: ['?'],
      description: t('List all slash commands'),
      run: surface => surface.views.showCommands(),
    },
    {
      name: 'clear',
      description: t('Start a new session. This one stays in the history'),
      run: surface => surface.session.startNew(),
    },
    {
      name: 'compress',
      description: t('Summarise the oldest part of the session; “now” applies it at once'),
      argument: 'now',
      asksModel: 'always',
      run: (surface, argument) => surface.session.compress(argument === 'now' ? 'applied' : 'proposed'),
    },
    {
      name: 'init',
      description: t('Write or improve the memory file of the project'),
      argument: t('what matters to you'),
      asksModel: 'always',
      run: runInit,
    },
    memoryCommand(),
    {
      name: 'plan',
      description: t('Read and plan only, then decide on the plan'),
      argument: t('what to plan'),
      asksModel: 'withArgument',
      run: runPlan,
    },
    {
      name: 'mode',
      description: t('Choose what runs without asking'),
      argument: t('ask, auto-edit, plan or allow-all'),
      values: modeValues,
      run: runMode,
    },
    {
      name: 'model',
      description: t('Choose the model'),
      argument: 'name',
      values: models => models.map(({ id, label }) => ({ name: id, description: label })),
      run: runModel,
    },
    {
      name: 'effort',
      description: t('Choose how hard the model thinks'),
      argument: t('low, medium, high, max or default'),
      values: effortValues,
      run: runEffort,
    },
    {
      name: 'resume',
      aliases: ['history'],
      description: t('Continue with an earlier session'),
      argument: t('words of its title or prompts'),
      run: (surface, words) => (words === '' ? surface.views.open('history') : surface.session.resume(words)),
    },
    chatCommand(),
    { name: 'copy', description: t('Put the newest answer on the clipboard'), run: runCopy },
    { name: 'rewind', description: t('Go back to before a prompt or a chapter'), run: opens('rewind') },
    restoreCommand(),
    isolateCommand(),
    worktreeCommand(),
    compareCommand(),
    {
      name: 'background',
      aliases: ['bg'],
      description: t('Continue the session in the background, even when the window closes'),
      run: opens('background'),
    },
    { name: 'export', description: t('Save the session as Markdown or JSON'), run: opens('export') },
    statsCommand(),
    { name: 'permissions', description: t('Show what may run without asking'), run: opens('permissions') },
    policiesCommand(),
    hooksCommand(),
    commandsCommand(),
    mcpCommand(),
    toolsCommand(),
    skillsCommand(lists('skill')),
    agentsCommand(lists('agent')),
    extensionsCommand(),
    pluginCommand(),
    directoryCommand(),
    { name: 'settings', description: t('Open the settings of Folio'), run: opens('settings') },
    authCommand(),
    {
      name: 'about',
      description: t('Show version, model, provider, sandbox, editor and system'),
      run: surface => surface.user.show(t('About Folio'), describeAbout(surface.views.about())),
    },
    {
      name: 'bug',
      description: t('Write the facts for a report about Folio'),
      argument: t('title'),
      run: (surface, title) => surface.views.report(oneLine(title, 200)),
    },
  ];
}

function opens(view: CommandView): Command['run'] {
  return surface => surface.views.open(view);
}

function lists(kind: 'tool' | 'skill' | 'agent', detail?: 'whole'): Command['run'] {
  return async surface => {
    const { title, text } = formatListedEntries(kind, await surface.views.list(kind), detail);
    await surface.user.show(title, text);
  };
}

async function runCopy(surface: CommandContext): Promise<unknown> {
  const answer = lastAnswer(surface.session.state());
  if (answer === undefined) throw new CommandError(t('The model has answered nothing in this session yet.'));
  return await surface.user.copyText(answer);
}

async function runInit(surface: CommandContext, argument: string): Promise<void> {
  const { trusted, folders, names } = surface.place();
  if (folders[0] === undefined)
    throw new CommandError(t('No folder is open: open the project first, then use /init.'));
  if (!trusted)
    throw new CommandError(
      t('The workspace is restricted, so nothing is written. Trust it first, then use /init.'),
    );
  if (surface.session.state().mode === 'plan')
    throw new CommandError(t('Plan mode does not write files. Choose another mode, then use /init.'));
  const wording = await composeInitPrompt(surface.files, {
    folder: folders[0],
    name: names[0],
    intent: argument,
  });
  await surface.session.send({ shown: argument ? `/init ${argument}` : '/init', wording });
}

/** The prompt needs no addition: the mode already asks for a plan. */
async function runPlan(surface: CommandContext, argument: string): Promise<void> {
  await surface.session.setMode('plan');
  if (argument !== '') await surface.session.send({ shown: argument });
}

async function runMode(surface: CommandContext, argument: string): Promise<unknown> {
  if (argument === '') return surface.views.open('mode');
  const mode = parseMode(argument);
  if (!mode)
    throw new CommandError(
      t('There is no mode {0}: use ask, auto-edit, plan or allow-all.', headOf(argument, 40)),
    );
  await surface.session.setMode(mode);
}

async function runModel(surface: CommandContext, argument: string): Promise<unknown> {
  if (argument === '') return surface.views.open('model');
  const picked = matchModelName(surface.models.resolve(argument), surface.models.known());
  const refused = surface.models.refuse?.(picked.id);
  if (refused !== undefined) throw new CommandError(refused);
  await surface.session.setModel(picked.id);
  if (picked.kind === 'unlisted') surface.user.notify(describeUnlisted(picked));
}

/** Lists modes by their names in the panel. */
function modeValues(): readonly ArgumentValue[] {
  const names = { default: 'ask', autoEdit: 'auto-edit', plan: 'plan', yolo: 'allow-all' } as const;
  return modeWords().map(({ value, hint }) => ({ name: names[value], description: hint }));
}

function effortValues(): readonly ArgumentValue[] {
  const values = effortRows(['low', 'medium', 'high', 'max'], '', {});
  return values.map(({ effort = 'default', label }) => ({ name: effort, description: label }));
}

/** The effort is stored per model, so it cannot be set before Auto has chosen one. */
async function runEffort(surface: CommandContext, argument: string): Promise<unknown> {
  if (argument === '') return surface.views.open('effort');
  const id = effectiveModel(surface.session.state());
  if (id === undefined) throw new CommandError(t('Auto has not chosen a model yet: send a prompt first.'));
  const wanted = argument.trim().toLowerCase();
  if (wanted === 'default') return await surface.models.setEffort(id, undefined);
  const { label = id, efforts = [] } = surface.models.known().find(each => each.id === id) ?? {};
  if (efforts.length === 0)
    throw new CommandError(t('{0} offers no choice of effort: choose another model with /model.', label));
  const effort = efforts.find(step => step === wanted);
  if (effort === undefined)
    throw new CommandError(
      t(
        '{0} does not support the effort {1}: use {2} or default.',
        label,
        headOf(wanted, 40),
        efforts.join(', '),
      ),
    );
  return await surface.models.setEffort(id, effort);
}

/** Formats Markdown. */
function describeAbout(facts: AboutFacts): string {
  const { version, host, system, provider, model, trusted, managed } = facts;
  const rows: readonly (readonly [string, string])[] = [
    ['Folio', version],
    [t('Model'), codeSpan(model || t('none'))],
    [t('Provider'), provider],
    [t('Sandbox'), t('none; commands run with your permissions, and the active rules decide which may run')],
    [t('Workspace'), trusted ? t('trusted') : t('restricted')],
    [t('Runs in'), host],
    [t('System'), system],
    ...(managed.length > 0
      ? [[t('Managed by your organization'), managed.map(codeSpan).join(', ')] as const]
      : []),
  ];
  return [`# ${t('About Folio')}`, '', ...rows.map(([name, value]) => `- ${name}: ${value}`), ''].join('\n');
}

/** Returns the latest text of the model, including the rest of its step; undefined: none yet. */
function lastAnswer({ chapters }: Pick<SessionState, 'chapters'>): string | undefined {
  const texts = chapters.flatMap(({ items }) => [...iterate(items)]).filter(item => item.type === 'text');
  const newest = texts.at(-1);
  if (!newest) return undefined;
  return texts
    .filter(({ stepId }) => stepId === newest.stepId)
    .map(({ text }) => text)
    .join('\n\n');
}
