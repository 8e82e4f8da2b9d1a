/** Owner of a rule file, in ascending precedence. */
export type PolicyTier = 'extension' | 'workspace' | 'user' | 'admin';

/** A rule file as read from the file system. */
export interface PolicyFile {
  /** Absolute. */
  readonly path: string;
  readonly tier: PolicyTier;
  readonly text: string;
}

/** Lists of tools below `tools` in a settings file. */
export const toolLists = ['core', 'allowed', 'exclude', 'confirmationRequired'] as const;

/** Keys of a settings file about tools. */
export interface ToolSettings {
  readonly path: string;
  readonly tier: 'user' | 'workspace';
  /** Name of the extension whose manifest the file is. */
  readonly extension?: string;
  readonly core?: readonly string[];
  readonly allowed?: readonly string[];
  readonly exclude?: readonly string[];
  readonly confirmationRequired?: readonly string[];
  /** Guards that block calls, in addition to rules. */
  readonly guards?: readonly StrictSettingKey[];
  /** A sentence for the user on each key that was read differently than written, or that resembles a protective key. */
  readonly remarks?: readonly string[];
}

/** A settings key that makes the policy stricter. */
export type StrictSettingKey = (typeof strictSettingKeys)[number];

export const strictSettingKeys = [
  'tools.sandbox',
  'security.toolSandboxing',
  'security.disableYoloMode',
  'security.disableAlwaysAllow',
  'security.environmentVariableRedaction.blocked',
] as const;

/** Protective keys of all programs that read the file. A similar key is reported as a typo. */
export const protectiveKeys: readonly string[] = [
  ...strictSettingKeys,
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
  /** Files that exist but cannot be read. `sentence` says which and why. */
  readonly problems: readonly {
    readonly tier: PolicyTier;
    readonly path: string;
    readonly sentence: string;
  }[];
}

/**
 * Files that hold rules. `read` never rejects. `change` reads the file of permanent permissions and writes what `turn`
 * returns, under a lock against other windows. It rejects if the file system does.
 */
export interface PolicyFiles {
  /** @param trusted whether rules of the workspace apply */
  read(trusted: boolean): Promise<PolicySources>;
  change(turn: (text: string) => string | Promise<string>): Promise<void>;
  /** Absolute path of the file of permanent permissions, if it has one. */
  readonly alwaysFile: string | undefined;
}
