import type { Event } from '../base/emitter.ts';
import type { Restrictions } from './managed/restrictions.ts';

/**
 * Settings of a user. Only the composition root reads them; everyone else gets the narrow value, or a function that
 * returns the present value, in the constructor.
 */
export interface Settings {
  get<K extends keyof SettingValues>(name: K): SettingValues[K];
  /** Somebody set it; else its value is the one that holds automatically. */
  isSet(name: keyof SettingValues): boolean;
  readonly onDidChange: Event<void>;
  /** Names of those that an organisation set: nobody else has a say in them. Absent: there are none. */
  readonly managedNames?: readonly string[];
  readonly restrictions?: Restrictions | undefined;
}

export interface WritableSettings extends Settings {
  /** As the user's own, for all their windows, in the order given; a workspace's own value stays what it is. */
  save(values: Partial<SettingValues>): Promise<void>;
  /** The same with what it was; changes wait for each other, so that none is lost. */
  change<K extends keyof SettingValues>(
    name: K,
    toNew: (before: SettingValues[K]) => SettingValues[K],
  ): Promise<void>;
}

export interface SettingValues {
  readonly provider: ProviderName;
  /** Model id of the provider. */
  readonly model: string;
  /** How hard a model thinks, by its id; `*` stands for the others. A model that is not named decides itself. */
  readonly effort: Readonly<Record<string, Effort>>;
  /** The user's own names for models, each with the name that it stands for. */
  readonly modelAliases: Readonly<Record<string, string>>;
  /** The user's own prices, by the id of a model: they come before the list's. */
  readonly prices: Readonly<Record<string, ModelPriceSetting>>;
  /** The strong one of the models that `auto` chooses from. Empty: the provider's recommendation. */
  readonly 'auto.strongModel': string;
  readonly 'auto.fastModel': string;
  /** For summaries and classifications beside the conversation. Empty: the provider's light one, where one is known. */
  readonly cheapModel: string;
  /** Continues when a model is busy or its quota is used up: `anthropic:claude-sonnet-4-6`. Empty: none. */
  readonly fallbackModel: string;
  /** Providers beside the chosen one whose models may be named as `provider:model`. */
  readonly otherProviders: readonly ProviderName[];
  /** Empty: the provider's own address. */
  readonly baseUrl: string;
  /** Address of the chat-completions server, up to and with `/v1`. Empty: that of OpenAI. */
  readonly 'openai.baseUrl': string;
  /** Address of Anthropic's Messages, or of a gateway that speaks them. Empty: that of Anthropic. */
  readonly 'anthropic.baseUrl': string;
  /** How long Anthropic's cache keeps what was sent: an hour costs more to fill, and outlives a pause. */
  readonly 'anthropic.cacheLifetime': CacheLifetime;
  /** Address of OpenAI's Responses, or of a server that speaks them, up to and with `/v1`. Empty: that of OpenAI. */
  readonly 'openaiResponses.baseUrl': string;
  /** Azure OpenAI takes a key, or a token of Microsoft Entra ID in its place. */
  readonly 'openaiResponses.signIn': SignIn;
  /** How much GPT models write. Empty: as the model itself decides. */
  readonly 'openaiResponses.verbosity': Verbosity | '';
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly 'openai.contextLimit': number;
  /** Id of the project at Google Cloud. Empty: that of the environment. */
  readonly 'vertex.project': string;
  /** Empty: that of the environment, else all places (`global`). */
  readonly 'vertex.location': string;
  /** Empty: the address of the location. */
  readonly 'vertex.baseUrl': string;
  /** A region of AWS. Empty: that of the environment. */
  readonly 'bedrock.region': string;
  /** Empty: the address of the region. */
  readonly 'bedrock.baseUrl': string;
  readonly approvalMode: 'default' | 'autoEdit' | 'plan' | 'yolo';
  /** Commands run inside the sandbox of the system, or ask before they run. */
  readonly sandbox: SandboxSetting;
  /** A small model may answer asks about commands that are neither dangerous nor reach outside. */
  readonly judge: boolean;
  /** Model answers in one turn. */
  readonly maxSteps: number;
  /** Attempts of one request, the first included. */
  readonly maxAttempts: number;
  /** Seconds without output until a command is stopped; 0: never. */
  readonly shellInactivityTimeout: number;
  /** Characters of a tool's output that the model gets whole. */
  readonly toolOutputLimit: number;
  /** Tools of others, and tokens of their declarations, from which on the model looks for them; 0: no such limit. */
  readonly 'findTools.fromTools': number;
  readonly 'findTools.fromTokens': number;
  /** Servers may show pages of their own with their results. */
  readonly 'mcp.apps': boolean;
  /** Scripts of the model call tools of servers; `auto`: where these are many. */
  readonly 'mcp.byCode': ByCodeSetting;
  /** Sections of the system prompt to leave out. */
  readonly promptWithout: readonly string[];
  /** File names of memory files, the most important first. */
  readonly contextFileNames: readonly string[];
  /** Further folders whose memory files count: absolute, below the home folder (`~/…`) or relative to the workspace. */
  readonly memoryFolders: readonly string[];
  /** Sessions that are left propose what is worth keeping. */
  readonly 'memory.propose': boolean;
  /** Share of the model's limit at which the context is compressed automatically, above 0; 1: never. */
  readonly compressionThreshold: number;
  /** Limits of one prompt's turn and of a session; 0: none. Tokens are those that no cache had. */
  readonly 'budget.turnTokens': number;
  readonly 'budget.sessionTokens': number;
  /** US dollars. */
  readonly 'budget.turnCost': number;
  readonly 'budget.sessionCost': number;
  /** Limits all sessions together, since midnight. */
  readonly 'budget.dayCost': number;
  /** Minutes of work; waiting for the user is left out. */
  readonly 'budget.turnMinutes': number;
  /** Sessions at work at once in windows, and in the background; 0: no limit, and what the machine has room for. */
  readonly 'parallel.max': number;
  /** Sessions that rested for longer go to the trash; 0: all are kept. */
  readonly 'retention.days': number;
  /** The collector that gets traces and metrics, as `OTEL_EXPORTER_OTLP_ENDPOINT` names it; empty: nobody. */
  readonly 'telemetry.endpoint': string;
  /** Prompts, answers, arguments and results go along. */
  readonly 'telemetry.captureContent': boolean;
  /** The folder of audit logs, absolute or below the home folder (`~/…`); empty: none is kept. */
  readonly 'audit.path': string;
  /** Names of servers, commands, agents, skills and extensions that do not count here. */
  readonly disabled: readonly string[];
  /** Names of folders with dependencies, caches and builds, which searches and listings leave out. */
  readonly ignoredFolders: readonly string[];
  /** Globs of ignored files in which a command's changes wait for review all the same. */
  readonly 'review.alsoIgnored': readonly string[];
  /** Commands that look for problems of an edited file in a run without a window, by glob. */
  readonly checkCommand: Readonly<Record<string, string>>;
  /** Language servers of a run without a window, by glob; files that none of them names have those that are found. */
  readonly languageServers: Readonly<Record<string, unknown>>;
  /** Agents of other makers that may drive a session, by name. */
  readonly 'agents.external': Readonly<Record<string, ExternalCommandSetting>>;
  /** The line that runs the project's tests, with `{file}` and `{name}`; empty: what the project says. */
  readonly testCommand: string;
  /** Folders that a worktree shares with the working tree that it is made from, relative to the root, with `/`. */
  readonly 'worktree.link': readonly string[];
  /** The line that runs once in a new worktree. Empty: none; `auto`: installs what a lock file names. */
  readonly 'worktree.setup': string;
  /** Where a new session of a window works; any other text is `workspace`. */
  readonly 'worktree.default': 'workspace' | 'worktree' | 'container';
  /** The line that searches the web, with `{query}`; empty: the provider does, where it can. */
  readonly webSearchCommand: string;
  /** The model may open pages in a browser of this machine. */
  readonly 'browser.enabled': boolean;
  /** The open page is loaded again after a turn with edits; the model reads what fails. */
  readonly 'browser.check': boolean;
  /** The browser's program, absolute. Empty: a Chromium, Chrome or Edge that is found. */
  readonly 'browser.path': string;
  /** CSS selectors of what no picture of a page shows. */
  readonly 'browser.mask': readonly string[];
  /** The command of a debug adapter over standard input and output. Empty: only a window's can debug. */
  readonly 'debug.adapter': string;
  /** An edit whose text is not in the file goes to the cheap model once, with the file. */
  readonly correctEdits: boolean;
  readonly loopDetection: boolean;
  /** Files that `.geminiignore` leaves out are not read by name either. */
  readonly respectGeminiIgnore: boolean;
  /** Further ignore files for agents, relative to each workspace folder. */
  readonly ignoreFiles: readonly string[];
  /** After an answer without calls the model is asked whether it meant to rest. */
  readonly nextSpeakerCheck: boolean;
}

/** Only the user sets these: where requests and keys go, who answers, what runs, what they switched off or throw away. */
export const personalSettings: ReadonlySet<keyof SettingValues> = new Set([
  'provider',
  'baseUrl',
  'openai.baseUrl',
  'anthropic.baseUrl',
  'openaiResponses.baseUrl',
  'openaiResponses.signIn',
  'vertex.project',
  'vertex.location',
  'vertex.baseUrl',
  'bedrock.region',
  'bedrock.baseUrl',
  'approvalMode',
  'judge',
  'modelAliases',
  'prices',
  'fallbackModel',
  'otherProviders',
  'disabled',
  'retention.days',
  'telemetry.endpoint',
  'telemetry.captureContent',
  'audit.path',
  'parallel.max',
  'budget.dayCost',
  'mcp.apps',
  'browser.enabled',
  'browser.path',
  'browser.mask',
  'agents.external',
  'debug.adapter',
]);

/** The steps of thinking, the least first. Few models have all. */
export const effortNames = ['low', 'medium', 'high', 'max'] as const;

export type Effort = (typeof effortNames)[number];

/** The step that the user has set for a model. */
export function effortOf(model: string, settings: Pick<Settings, 'get'>): Effort | undefined {
  const efforts = settings.get('effort');
  return Object.hasOwn(efforts, model) ? efforts[model] : efforts['*'];
}

/** @param effort absent: the model is no longer named */
export function withEffort(
  before: Readonly<Record<string, Effort>>,
  model: string,
  effort: Effort | undefined,
): Readonly<Record<string, Effort>> {
  if (effort !== undefined) return { ...before, [model]: effort };
  return Object.fromEntries(Object.entries(before).filter(([name]) => name !== model));
}

/** US dollars per million tokens. Without a price of its own, a token from or for the cache costs what others do. */
export interface ModelPriceSetting {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly written?: number;
}

/** The program of an agent of another maker. */
export interface ExternalCommandSetting {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the variables of Folio's environment that are no secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

function oneOf<const T extends string>(words: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => words.some(word => word === value);
}

export type CacheLifetime = '5m' | '1h';
export const isCacheLifetime = oneOf<CacheLifetime>(['5m', '1h']);

export type Verbosity = 'low' | 'medium' | 'high';
export const isVerbosity = oneOf<Verbosity | ''>(['', 'low', 'medium', 'high']);

export type SignIn = 'key' | 'entra';
export const isSignIn = oneOf<SignIn>(['key', 'entra']);

export type ByCodeSetting = 'auto' | 'on' | 'off';
export const isByCodeSetting = oneOf<ByCodeSetting>(['auto', 'on', 'off']);

export const isApprovalMode = oneOf<SettingValues['approvalMode']>(['default', 'autoEdit', 'plan', 'yolo']);

export type SandboxSetting = 'ask' | 'on';
export const isSandboxSetting = oneOf<SandboxSetting>(['ask', 'on']);

/** A workspace may set these to this value alone, which is the strict one: it can switch a guard on and never off. */
export const strictSettings: Readonly<Partial<SettingValues>> = { sandbox: 'on' };

/** They name programs: a workspace may set them only in a file whose values the user was shown, as VS Code's is not. */
export const shownSettings: ReadonlySet<keyof SettingValues> = new Set([
  'checkCommand',
  'languageServers',
  'testCommand',
  'webSearchCommand',
  'worktree.setup',
]);

/**
 * The provider: Gemini; Anthropic's models; OpenAI's; any server that speaks the chat-completions protocol; models in a
 * project at Google Cloud; Claude's models at Amazon; the models that other extensions offer in VS Code.
 */
export type ProviderName = (typeof providerNames)[number];

export const providerNames = [
  'gemini',
  'anthropic',
  'openai-responses',
  'openai',
  'vertex',
  'bedrock',
  'vscode',
] as const;

export function isProviderNames(value: unknown): value is readonly ProviderName[] {
  return Array.isArray(value) && value.every(isProviderName);
}

export const isProviderName = oneOf<ProviderName>(providerNames);

/*
 * Why these limits: a hundred steps over a context that grows from 20,000 to 100,000 tokens send about 6 million, of
 * which a provider's cache has three quarters. That leaves 1.5 million and 0.2 million written: about $6 with a large
 * model's prices without any cache, $3 with it. A turn that needs three times the tokens, or more money than that, is
 * worth a question; a session is taken for four such turns.
 */
export const defaultSettings: SettingValues = {
  provider: 'gemini',
  model: 'gemini-2.5-pro',
  effort: {},
  modelAliases: {},
  prices: {},
  'auto.strongModel': '',
  'auto.fastModel': '',
  cheapModel: '',
  fallbackModel: '',
  otherProviders: [],
  baseUrl: '',
  'openai.baseUrl': '',
  'anthropic.baseUrl': '',
  'anthropic.cacheLifetime': '5m',
  'openaiResponses.baseUrl': '',
  'openaiResponses.signIn': 'key',
  'openaiResponses.verbosity': '',
  // Most local servers can hold this much; the smallest of services hold four times as much.
  'openai.contextLimit': 32_768,
  'vertex.project': '',
  'vertex.location': '',
  'vertex.baseUrl': '',
  'bedrock.region': '',
  'bedrock.baseUrl': '',
  approvalMode: 'default',
  sandbox: 'ask',
  judge: false,
  maxSteps: 100,
  maxAttempts: 10,
  shellInactivityTimeout: 300,
  toolOutputLimit: 40_000,
  // A dozen servers declare about this much; beyond that a request is mostly tools, and models choose worse.
  'findTools.fromTools': 40,
  'findTools.fromTokens': 6000,
  'mcp.apps': true,
  'mcp.byCode': 'auto',
  promptWithout: [],
  contextFileNames: ['GEMINI.md', 'AGENTS.md', 'CLAUDE.md'],
  memoryFolders: [],
  'memory.propose': true,
  compressionThreshold: 0.5,
  'budget.turnTokens': 5_000_000,
  'budget.sessionTokens': 20_000_000,
  'budget.turnCost': 5,
  'budget.sessionCost': 20,
  'budget.dayCost': 0,
  'budget.turnMinutes': 60,
  'parallel.max': 0,
  // Sessions are small beside what they are about, and a user may come back after a year: who wants less says so.
  'retention.days': 0,
  'telemetry.endpoint': '',
  'telemetry.captureContent': false,
  'audit.path': '',
  disabled: [],
  ignoredFolders: [
    'node_modules',
    'bower_components',
    '.venv',
    'venv',
    '.tox',
    '__pycache__',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    '.gradle',
    '.terraform',
    '.next',
    '.nuxt',
    '.svelte-kit',
    '.turbo',
    '.parcel-cache',
    'dist',
    'build',
    'out',
    'target',
    'coverage',
  ],
  'review.alsoIgnored': [],
  checkCommand: {},
  languageServers: {},
  'agents.external': {},
  testCommand: '',
  webSearchCommand: '',
  'browser.enabled': true,
  'browser.check': false,
  'browser.path': '',
  'browser.mask': [],
  'debug.adapter': '',
  'worktree.link': [],
  'worktree.setup': '',
  'worktree.default': 'workspace',
  correctEdits: true,
  loopDetection: true,
  respectGeminiIgnore: true,
  ignoreFiles: [],
  nextSpeakerCheck: false,
};

/** 0 or more. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
