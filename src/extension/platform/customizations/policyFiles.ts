/** The owner of the file: the higher in this list, the less it says. */
export type PolicyTier = 'extension' | 'workspace' | 'user' | 'admin';

/** A file of rules, as it stands on the disk. */
export interface PolicyFile {
  /** Absolute. */
  readonly path: string;
  readonly tier: PolicyTier;
  readonly text: string;
}

/** Lists of tools below `tools` in a settings file. */
export const toolLists = ['core', 'allowed', 'exclude', 'confirmationRequired'] as const;

/** The keys of a settings file that are about tools. */
export interface ToolSettings {
  readonly path: string;
  readonly tier: 'user' | 'workspace';
  /** Its name, when the file is the manifest of an extension. */
  readonly extension?: string;
  readonly core?: readonly string[];
  readonly allowed?: readonly string[];
  readonly exclude?: readonly string[];
  readonly confirmationRequired?: readonly string[];
  /** Guards that hold calls back, beside rules. */
  readonly guards?: readonly Guard[];
  /** A sentence for the user about each key that was understood otherwise than written, or is near one that protects. */
  readonly remarks?: readonly string[];
}

/** A key of settings files that makes things stricter. */
export type Guard = (typeof guards)[number];

export const guards = [
  'tools.sandbox',
  'security.toolSandboxing',
  'security.disableYoloMode',
  'security.disableAlwaysAllow',
  'security.environmentVariableRedaction.blocked',
] as const;

/** Keys that protect, whoever reads them. A key that is almost one of these is a slip. */
export const protectiveKeys: readonly string[] = [
  ...guards,
  ...['tools.core', 'tools.exclude', 'tools.confirmationRequired', 'mcp.allowed', 'mcp.excluded'],
  ...['skills.enabled', 'skills.disabled', 'agents.overrides', 'hooksConfig', 'policyPaths'],
  ...['adminPolicyPaths', 'security.blockGitExtensions', 'security.allowedExtensions'],
  ...['security.environmentVariableRedaction', 'experimental.enableAgents', 'admin.extensions'],
  ...['admin.extensions.enabled', 'admin.mcp', 'admin.mcp.enabled', 'admin.skills', 'admin.skills.enabled'],
  ...['context.fileFiltering.respectGeminiIgnore', 'context.fileFiltering.customIgnoreFilePaths'],
];

export interface PolicySources {
  readonly files: readonly PolicyFile[];
  readonly settings: readonly ToolSettings[];
  /** Files that exist and cannot be read; `sentence` says which and why. */
  readonly problems: readonly {
    readonly tier: PolicyTier;
    readonly path: string;
    readonly sentence: string;
  }[];
}

/**
 * Where rules stand. `read` never rejects. `change` reads the file of lasting permissions, writes what it is turned
 * into, and lets no other window in between; it rejects when the disk does.
 */
export interface PolicyFiles {
  /** @param trusted whether what the workspace brings counts */
  read(trusted: boolean): Promise<PolicySources>;
  change(turn: (text: string) => string | Promise<string>): Promise<void>;
  /** Absolute; the file of lasting permissions, if there is a place for one. */
  readonly alwaysFile: string | undefined;
}
