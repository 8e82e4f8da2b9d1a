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

/** A session in a worktree has this beside its files. */
export class Equipment {
  private readonly worktree: Worktree;
  private readonly ports: EquipmentPorts;
  private shared: readonly string[] = [];
  private firstPort: number | undefined;
  private readonly findPorts = once(() => this.readPorts());

  constructor(worktree: Worktree, ports: EquipmentPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** Folders outside of the worktree that its links lead into, absolute; as of the newest `settle`. */
  get readable(): readonly string[] {
    return this.shared;
  }

  /** The first of the ports that are the worktree's own; absent: before the first `settle`, or none could be had. */
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

  /** Each command gets these variables beside those that it gets anyway. Never rejects. */
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
 * The folders of home that links of a worktree lead into, absolute. One that is a link itself is not shared.
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
