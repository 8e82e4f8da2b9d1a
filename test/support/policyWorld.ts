/* A policy over a real workspace and rule files in a home folder of its own. */

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { Policy } from '../../src/extension/core/policy/policy.ts';
import type { PolicyQuery } from '../../src/extension/core/policy/policyQuery.ts';
import type { SandboxState } from '../../src/extension/core/policy/sandbox.ts';
import type { Verdict } from '../../src/extension/core/policy/verdict.ts';
import type { CallTarget } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { readGrammar } from '../../src/extension/node/grammarFiles.ts';
import { NodePolicyFiles, type PolicyLocations } from '../../src/extension/node/settings/policyFiles.ts';
import { SeenItemsFile } from '../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import type { PolicyFiles } from '../../src/extension/platform/customizations/policyFiles.ts';
import type { CommandNeeds } from '../../src/extension/platform/sandbox.ts';
import { loadShellParser, type ShellParser } from '../../src/extension/shell/shellParser.ts';
import type { ApprovalMode } from '../../src/protocol/intentions.ts';
import type { Effect } from '../../src/protocol/values.ts';

export interface PolicyOptions {
  readonly trusted?: boolean;
  readonly interactive?: boolean;
  /** Files by name: `home/…` and `workspace/…`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly adminFolders?: readonly string[];
  /** Puts more beside what the files say. */
  readonly around?: (files: PolicyFiles, places: PolicyLocations) => PolicyFiles;
  /** Servers whose tools run unasked. */
  readonly trustedServers?: readonly string[];
  readonly sandbox?: SandboxState;
  /** Reads commands; absent: bash. */
  readonly shell?: 'bash' | 'powershell';
}

export class PolicyWorld {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly reported: string[] = [];
  readonly policyFiles: NodePolicyFiles;
  readonly consent: ConsentService;
  readonly gate: WorkspacePaths;
  private readonly parser: ShellParser;
  private readonly places: PolicyLocations;
  private readonly options: PolicyOptions;
  policy: Policy;

  private constructor(root: string, parser: ShellParser, options: PolicyOptions) {
    this.root = root;
    this.workspace = join(root, 'workspace');
    this.home = join(root, 'home');
    this.parser = parser;
    this.options = options;
    const { workspace, home } = this;
    this.places = { home, folders: () => [workspace], adminFolders: options.adminFolders ?? [] };
    this.policyFiles = new NodePolicyFiles(this.places, new NodeSettingsDocuments());
    const seen = SeenItemsFile.ofUser(home);
    this.consent = new ConsentService(seen, () => options.trusted ?? true);
    this.gate = new WorkspacePaths(new NodeFileSystem(), [workspace]);
    this.policy = this.newSession();
  }

  static async make(options: PolicyOptions = {}): Promise<PolicyWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'folio-policy-')));
    const world = new PolicyWorld(
      root,
      await loadShellParser({ readGrammar, home: join(root, 'home'), shells: [options.shell ?? 'bash'] }),
      options,
    );
    await Promise.all([mkdir(world.workspace), mkdir(world.home)]);
    await world.write(options.files ?? {});
    return world;
  }

  /** Another session, or window, over the same disk. */
  newSession(): Policy {
    const { options, policyFiles, consent, gate, workspace, home } = this;
    const files = options.around?.(policyFiles, this.places) ?? policyFiles;
    return new Policy({
      trusted: () => options.trusted ?? true,
      interactive: options.interactive ?? true,
      trustedServers: () => options.trustedServers ?? [],
      sandbox: options.sandbox,
      analyse: async command => this.parser.analyse(command, options.shell ?? 'bash'),
      files,
      consent,
      gate,
      workspace,
      home,
      notify: sentence => void this.reported.push(sentence),
    });
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, name)), { recursive: true });
      await writeFile(join(this.root, name), text);
    }
  }

  async link(target: string, name: string): Promise<void> {
    await symlink(target, join(this.root, name));
  }

  run(command: string, mode: ApprovalMode = 'default', needs?: CommandNeeds): Promise<Verdict> {
    const target = { kind: 'command', command, cwd: this.workspace, canBeHeld: true, needs } as const;
    return this.policy.classify({
      tool: 'run_shell_command',
      effect: 'run',
      args: { command },
      target,
      mode,
    });
  }

  /** The same as a command of the user. */
  runOwn(command: string, mode: ApprovalMode = 'default'): Promise<Verdict> {
    const target = { kind: 'command', command, cwd: this.workspace, canBeHeld: true } as const;
    const args = { command };
    return this.policy.classify({ tool: 'run_shell_command', effect: 'run', args, target, mode, own: true });
  }

  edit(path: string, mode: ApprovalMode = 'default'): Promise<Verdict> {
    const target = { kind: 'paths', paths: [path], access: 'write' } as const;
    return this.call('write_file', 'edit', { file_path: path, content: 'x' }, target, mode);
  }

  read(path: string, mode: ApprovalMode = 'default'): Promise<Verdict> {
    const target = { kind: 'paths', paths: [path], access: 'read' } as const;
    return this.call('read_file', 'read', { file_path: path }, target, mode);
  }

  fetch(url: string, mode: ApprovalMode = 'default'): Promise<Verdict> {
    return this.call('web_fetch', 'fetch', { prompt: url }, { kind: 'urls', urls: [url] }, mode);
  }

  mcp(server: string, tool: string, mode: ApprovalMode = 'default'): Promise<Verdict> {
    return this.call(`mcp_${server}_${tool}`, 'run', {}, { kind: 'mcp', server, tool }, mode);
  }

  call(
    tool: string,
    effect: Effect,
    args: unknown,
    target?: CallTarget,
    mode: ApprovalMode = 'default',
  ): Promise<Verdict> {
    const query: PolicyQuery = { tool, effect, args, mode, ...(target && { target }) };
    return this.policy.classify(query);
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Why, for messages and patterns. */
export function reasonOf(verdict: Verdict): string {
  return verdict.kind === 'allow' ? '' : verdict.reason();
}
