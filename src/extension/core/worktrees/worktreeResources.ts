import { join } from 'node:path';
import type { Worktree } from '../../../protocol/worktree.ts';
import { messageOf } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import { isInnerFolder } from '../../platform/settingFiles/worktreeChecks.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Worktrees } from '../../platform/worktrees.ts';

interface EquipmentPorts {
  readonly worktrees: Pick<Worktrees, 'portBase'>;
  readonly settings: Pick<Settings, 'get'>;
  readonly files: Pick<FileSystem, 'realPath'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Additional resources of a session in a worktree: shared folders and ports. */
export class WorktreeResources {
  private readonly worktree: Worktree;
  private readonly ports: EquipmentPorts;
  private shared: readonly string[] = [];
  private firstPort: number | undefined;
  private readonly findPorts = once(() => this.readPorts());

  constructor(worktree: Worktree, ports: EquipmentPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** Absolute folders outside the worktree that its links lead to, as of the last `settle`. */
  get readable(): readonly string[] {
    return this.shared;
  }

  /** The first reserved port; absent before the first `settle`, or if none is free. */
  get portBase(): number | undefined {
    return this.firstPort;
  }

  /** Never rejects. */
  async settle(): Promise<void> {
    const { settings, files, log } = this.ports;
    const links = settings.get('worktree.link');
    const finding = findSharedFolders(this.worktree, links, files).then(
      shared => {
        this.shared = shared;
      },
      error => log.warn(`Folders that a worktree shares are not known: ${messageOf(error)}`),
    );
    await Promise.all([finding, this.findPorts()]);
  }

  /** Additional environment variables for each command. Never rejects. */
  async variables(): Promise<Readonly<Record<string, string>>> {
    await this.findPorts();
    return this.firstPort === undefined ? {} : { FOLIO_PORT_BASE: String(this.firstPort) };
  }

  private async readPorts(): Promise<void> {
    const { worktrees, log } = this.ports;
    try {
      this.firstPort = await worktrees.portBase(this.worktree);
    } catch (error) {
      log.warn(`A worktree has no ports of its own: ${messageOf(error)}`);
    }
  }
}

/**
 * Returns absolute folders at home that links of a worktree lead to. A folder that is itself a link is not shared.
 * @param links relative to the root
 */
async function findSharedFolders(
  { home }: Worktree,
  links: readonly string[],
  files: Pick<FileSystem, 'realPath'>,
): Promise<readonly string[]> {
  const folders = links.filter(isInnerFolder).map(each => join(home, each.replace(/\/$/, '')));
  const real = await Promise.all(folders.map(each => files.realPath(each)));
  return folders.filter((each, at) => real[at] === each);
}
