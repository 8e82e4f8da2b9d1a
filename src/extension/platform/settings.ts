import type { Event } from '../base/emitter.ts';
import type { Restrictions } from './managed/restrictions.ts';

/**
 * Settings of a user. Only the composition root reads them. Everything else gets the value, or a function that returns
 * the current one, in the constructor.
 */
export interface Settings {
  get<K extends keyof SettingValues>(name: K): SettingValues[K];
  /** True if set anywhere; otherwise the default applies. */
  isSet(name: keyof SettingValues): boolean;
  readonly onDidChange: Event<void>;
  /** Names of settings that an organisation has fixed. Absent if there are none. */
  readonly managedNames?: readonly string[];
  readonly restrictions?: Restrictions | undefined;
}

export interface WritableSettings extends Settings {
  /** Saves to the user's own settings, for all windows, in the order given. A workspace's own value stays. */
  save(values: Partial<SettingValues>): Promise<void>;
  /** Computes the new value from the old one. Changes are serialized, so that none is lost. */
  change<K extends keyof SettingValues>(
    name: K,
    toNew: (before: SettingValues[K]) => SettingValues[K],
  ): Promise<void>;
}

export interface SettingValues {
  readonly provider: ProviderName;
  /** Model id of the provider. */
  readonly model: string;
  /** How hard a model thinks, by its id; `*` for all others. Models that are not named decide themselves. */
  readonly effort: Readonly<Record<string, Effort>>;
  /** The user's own names for models, with the model that each stands for. */
  readonly modelAliases: Readonly<Record<string, string>>;
  /** The user's own prices by model id. They override the list's. */
  readonly prices: Readonly<Record<string, ModelPriceSetting>>;
  /** The strong model that `auto` may choose. Empty: the provider's recommendation. */
  readonly 'auto.strongModel': string;
  readonly 'auto.fastModel': string;
  /** For summaries and classification. Empty: the provider's light model, if known. */
  readonly cheapModel: string;
  /** Used when a model is busy or over quota: `anthropic:claude-sonnet-4-6`. Empty: none. */
  readonly fallbackModel: string;
  /** Further providers whose models may be named as `provider:model`. */
  readonly otherProviders: readonly ProviderName[];
  /** Empty: the provider's default address. */
  readonly baseUrl: string;
  /** Address of the chat-completions server, up to and including `/v1`. Empty: OpenAI's. */
  readonly 'openai.baseUrl': string;
  /** Address of Anthropic's Messages API, or of a compatible gateway. Empty: Anthropic's. */
  readonly 'anthropic.baseUrl': string;
  /** Lifetime of Anthropic's cache: an hour costs more to fill, but survives a pause. */
  readonly 'anthropic.cacheLifetime': CacheLifetime;
  /** Address of OpenAI's Responses API, or of a compatible server, up to and including `/v1`. Empty: OpenAI's. */
  readonly 'openaiResponses.baseUrl': string;
  /** Azure OpenAI accepts a key, or a token of Microsoft Entra ID. */
  readonly 'openaiResponses.signIn': SignInMethod;
  /** How much GPT models write. Empty: the model decides. */
  readonly 'openaiResponses.verbosity': Verbosity | '';
  /** Context limit in tokens of models whose server does not report one. */
  readonly 'openai.contextLimit': number;
  /** Id of the Google Cloud project. Empty: from the environment. */
  readonly 'vertex.project': string;
  /** Empty: from the environment, else `global`. */
  readonly 'vertex.location': string;
  /** Empty: the address of the location. */
  readonly 'vertex.baseUrl': string;
  /** An AWS region. Empty: from the environment. */
  readonly 'bedrock.region': string;
  /** Empty: the address of the region. */
  readonly 'bedrock.baseUrl': string;
  readonly approvalMode: 'default' | 'autoEdit' | 'plan' | 'yolo';
  /** Commands run in the system's sandbox, or ask first. */
  readonly sandbox: SandboxSetting;
  /** A small model may approve commands that are neither dangerous nor reach outside. */
  readonly judge: boolean;
  /** Maximal model answers in one turn. */
  readonly maxSteps: number;
  /** Maximal attempts of one request, including the first. */
  readonly maxAttempts: number;
  /** Seconds without output until a command is stopped; 0: never. */
  readonly shellInactivityTimeout: number;
  /** Characters of a tool's output that the model gets uncut. */
  readonly toolOutputLimit: number;
  /** Foreign tools, and tokens of their declarations, above which the model searches for tools; 0: no limit. */
  readonly 'findTools.fromTools': number;
  readonly 'findTools.fromTokens': number;
  /** MCP servers may show pages of their own with their results. */
  readonly 'mcp.apps': boolean;
  /** Scripts of the model call MCP tools; `auto`: if there are many. */
  readonly 'mcp.byCode': ScriptCallSetting;
  /** Sections of the system prompt to leave out. */
  readonly promptWithout: readonly string[];
  /** File names of memory files, the most important first. */
  readonly contextFileNames: readonly string[];
  /** Further folders with memory files: absolute, below the home folder (`~/…`) or relative to the workspace. */
  readonly memoryFolders: readonly string[];
  /** Sessions propose memory entries when the user leaves them. */
  readonly 'memory.propose': boolean;
  /** Share of the model's limit at which the context is compressed automatically, above 0; 1: never. */
  readonly compressionThreshold: number;
  /** Limits per turn and per session; 0: none. Cached tokens do not count. */
  readonly 'budget.turnTokens': number;
  readonly 'budget.sessionTokens': number;
  /** US dollars. */
  readonly 'budget.turnCost': number;
  readonly 'budget.sessionCost': number;
  /** Limit for all sessions together, since midnight. */
  readonly 'budget.dayCost': number;
  /** Minutes of work, without waiting for the user. */
  readonly 'budget.turnMinutes': number;
  /** Concurrently working sessions, in windows and in the background; 0: no limit. */
  readonly 'parallel.max': number;
  /** Sessions unused for longer go to the trash; 0: never. */
  readonly 'retention.days': number;
  /** Collector of traces and metrics, as in `OTEL_EXPORTER_OTLP_ENDPOINT`; empty: none. */
  readonly 'telemetry.endpoint': string;
  /** Includes prompts, answers, arguments and results. */
  readonly 'telemetry.captureContent': boolean;
  /** Folder of audit logs, absolute or below the home folder (`~/…`); empty: none. */
  readonly 'audit.path': string;
  /** Names of disabled servers, commands, agents, skills and extensions. */
  readonly disabled: readonly string[];
  /** Names of folders with dependencies, caches and builds, which searches and listings skip. */
  readonly ignoredFolders: readonly string[];
  /** Globs of ignored files whose changes by commands are reviewed anyway. */
  readonly 'review.alsoIgnored': readonly string[];
  /** Commands that check an edited file in a headless run, by glob. */
  readonly checkCommand: Readonly<Record<string, string>>;
  /** Language servers of a headless run, by glob. For other files, detected servers are used. */
  readonly languageServers: Readonly<Record<string, unknown>>;
  /** Third-party agents that may drive a session, by name. */
  readonly 'agents.external': Readonly<Record<string, ExternalCommandSetting>>;
  /** Command line that runs the project's tests, with `{file}` and `{name}`; empty: detected from the project. */
  readonly testCommand: string;
  /** Folders that a worktree shares with its original working tree, relative to the root, with `/`. */
  readonly 'worktree.link': readonly string[];
  /** Command line that runs once in a new worktree. Empty: none; `auto`: installs what a lock file names. */
  readonly 'worktree.setup': string;
  /** Place of a window's new sessions. Any other text means `workspace`. */
  readonly 'worktree.default': 'workspace' | 'worktree' | 'container';
  /** Command line that searches the web, with `{query}`; empty: the provider's search, if it has one. */
  readonly webSearchCommand: string;
  /** The model may open pages in a browser of this machine. */
  readonly 'browser.enabled': boolean;
  /** Reloads the open page after a turn with edits, and tells the model what fails. */
  readonly 'browser.check': boolean;
  /** Path of the browser's program, absolute. Empty: a detected Chromium, Chrome or Edge. */
  readonly 'browser.path': string;
  /** CSS selectors of elements that pictures of a page must not show. */
  readonly 'browser.mask': readonly string[];
  /** Command of a debug adapter over standard input and output. Empty: only a window can debug. */
  readonly 'debug.adapter': string;
  /** An edit whose text is not in the file is sent once to the cheap model, with the file. */
  readonly correctEdits: boolean;
  readonly loopDetection: boolean;
  /** Files in `.geminiignore` are not read by name either. */
  readonly respectGeminiIgnore: boolean;
  /** Further ignore files for agents, relative to each workspace folder. */
  readonly ignoreFiles: readonly string[];
  /** After an answer without calls, asks the model whether it meant to stop. */
  readonly nextSpeakerCheck: boolean;
}

/** Settings that no workspace may set: where requests and keys go, models, programs, disabled and deleted items. */
export const userOnlySettings: ReadonlySet<keyof SettingValues> = new Set([
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

/** Levels of thinking, lowest first. Few models have all. */
export const effortNames = ['low', 'medium', 'high', 'max'] as const;

export type Effort = (typeof effortNames)[number];

/** Returns the level that the user has set for a model. */
export function effortOf(model: string, settings: Pick<Settings, 'get'>): Effort | undefined {
  const efforts = settings.get('effort');
  return Object.hasOwn(efforts, model) ? efforts[model] : efforts['*'];
}

/** @param effort absent to remove the model's entry */
export function withEffort(
  before: Readonly<Record<string, Effort>>,
  model: string,
  effort: Effort | undefined,
): Readonly<Record<string, Effort>> {
  if (effort !== undefined) return { ...before, [model]: effort };
  return Object.fromEntries(Object.entries(before).filter(([name]) => name !== model));
}

/** US dollars per million tokens. Cached tokens default to the price of others. */
export interface ModelPriceSetting {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly written?: number;
}

/** The program of a third-party agent. */
export interface ExternalCommandSetting {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to Folio's environment without its secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

function oneOf<const T extends string>(words: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => words.some(word => word === value);
}

export type CacheLifetime = '5m' | '1h';
export const isCacheLifetime = oneOf<CacheLifetime>(['5m', '1h']);

export type Verbosity = 'low' | 'medium' | 'high';
export const isVerbosity = oneOf<Verbosity | ''>(['', 'low', 'medium', 'high']);

export type SignInMethod = 'key' | 'entra';
export const isSignInMethod = oneOf<SignInMethod>(['key', 'entra']);

export type ScriptCallSetting = 'auto' | 'on' | 'off';
export const isScriptCallSetting = oneOf<ScriptCallSetting>(['auto', 'on', 'off']);

export const isApprovalMode = oneOf<SettingValues['approvalMode']>(['default', 'autoEdit', 'plan', 'yolo']);

export type SandboxSetting = 'ask' | 'on';
export const isSandboxSetting = oneOf<SandboxSetting>(['ask', 'on']);

/** A workspace may set these only to this strict value: it can enable a guard but never disable it. */
export const strictSettings: Readonly<Partial<SettingValues>> = { sandbox: 'on' };

/** Settings that name programs. A workspace may set them only in a file that the user reviews, unlike VS Code's. */
export const reviewRequiredSettings: ReadonlySet<keyof SettingValues> = new Set([
  'checkCommand',
  'languageServers',
  'testCommand',
  'webSearchCommand',
  'worktree.setup',
]);

/**
 * Providers: Gemini; Anthropic; OpenAI; any chat-completions server; Vertex AI at Google Cloud; Claude at Amazon
 * Bedrock; models that other extensions offer in VS Code.
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
 * Reason for these limits: a hundred steps over a context that grows from 20,000 to 100,000 tokens send about 6
 * million, of which three quarters are cached. That leaves 1.5 million, and 0.2 million written: about $6 with a large
 * model's prices without cache, $3 with it. A turn with three times the tokens, or a higher cost, deserves a question.
 * A session gets four such turns.
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
  // Most local servers can hold this much. The smallest services hold four times as much.
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
  // A dozen servers declare about this much. Above it a request is mostly tools, and models choose worse.
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
  // Never by default: sessions are small, and a user may come back after a year.
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
export function isNonNegativeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
