import { dirname } from 'node:path';
import { folderContains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { EditorTests } from '../../platform/editorTests.ts';
import { findTestProjects, type ProjectFiles, type TestProject } from './testProject.ts';

interface Environment {
  readonly files: ProjectFiles;
  /** Absent if no editor offers tests. */
  readonly tests?: EditorTests;
}

/**
 * Detects whether tests can be run, since their tool is declared in each request. Decided when a turn begins, and
 * stable until the next.
 */
export class TestPresence {
  private readonly around: Environment;
  private readonly paths: Pick<WorkspacePaths, 'realRoots'>;
  private readonly command: () => string;
  private isSettled = false;

  /** @param command the setting */
  constructor(around: Environment, paths: Pick<WorkspacePaths, 'realRoots'>, command: () => string) {
    this.around = around;
    this.paths = paths;
    this.command = command;
  }

  get isThere(): boolean {
    return this.isSettled;
  }

  /** Call at the start of a turn. Never rejects. */
  async settle(): Promise<void> {
    const { tests } = this.around;
    await tests?.settle();
    this.isSettled = this.command() !== '' || tests?.isAvailable === true || (await this.findAny());
  }

  /**
   * Returns the nearest project above a test file; without a file, the first one of the workspace.
   * @param file absolute and real
   */
  async find(file?: string): Promise<TestProject | undefined> {
    const roots = await this.paths.realRoots();
    for (const folder of file === undefined ? roots : foldersAbove(file, roots)) {
      const projects = await findTestProjects(folder, this.around.files);
      const fitting = projects.find(({ runner }) => file === undefined || runner.files.test(file));
      if (fitting) return fitting;
    }
    return undefined;
  }

  private async findAny(): Promise<boolean> {
    // An unreadable folder counts as having no tests.
    return (await this.find().catch(() => undefined)) !== undefined;
  }
}

/** Returns the folders from the nearest one up to the workspace folder. */
function foldersAbove(file: string, roots: readonly string[]): readonly string[] {
  const root = roots.find(folder => folderContains(folder, file));
  if (root === undefined) return [];
  const above: string[] = [];
  for (let folder = file; folder !== root; ) {
    folder = dirname(folder);
    above.push(folder);
  }
  return above;
}
