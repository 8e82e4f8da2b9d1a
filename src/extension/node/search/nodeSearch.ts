import type {
  FileMatches,
  FileQuery,
  IgnoreOptions,
  IgnoreRules,
  RuleStamps,
  Search,
  TextMatches,
  TextQuery,
} from '../../platform/search.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { type CustomIgnoreFiles, type CustomIgnorePorts, customIgnoreFiles } from './customIgnoreFiles.ts';
import { findRipgrep, packagedRipgrep } from './findRipgrep.ts';
import type { DecodeFile } from './otherEncodings.ts';
import type { WalkSearch } from './walkSearch.ts';

/** Folders of ten entries that the walk lists in less time than a process takes to start. */
const smallFolders = 100;

/**
 * The best available search: ripgrep, else our own directory walk. Chosen and loaded with the first search. Files of a
 * small folder are listed by the walk alone, because a process would take longer, and the first request waits for it.
 */
export class NodeSearch implements Search, RuleStamps {
  private readonly candidates: readonly string[] | undefined;
  private readonly programs: ProgramFinder | undefined;
  private readonly custom: CustomIgnoreFiles;
  private readonly decode: DecodeFile | undefined;
  private found: Promise<Search> | undefined;

  /**
   * @param candidates absolute paths of ripgreps to try after the one on PATH; defaults to the packaged one
   * @param programs finds the one on PATH
   * @param ports ignore files named in settings (default: none), and encodings of files (default: guessed)
   */
  constructor(
    candidates?: readonly string[],
    programs?: ProgramFinder,
    ports?: CustomIgnorePorts & { readonly decode: DecodeFile },
  ) {
    this.candidates = candidates;
    this.programs = programs;
    this.decode = ports?.decode;
    this.custom = ports ? customIgnoreFiles(ports) : () => [];
  }

  async findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches> {
    const few = await (await this.walk()).findWithin(smallFolders, query, signal);
    return few ?? (await this.best()).findFiles(query, signal);
  }

  async findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
    return (await this.best()).findText(query, signal);
  }

  async readIgnoreRules(folder: string, choice: IgnoreOptions = {}): Promise<IgnoreRules> {
    const { readIgnoreRules } = await import('./ignoreRules.ts');
    return readIgnoreRules(folder, choice, { env: process.env, custom: this.custom() });
  }

  async stampRules(folder: string): Promise<string> {
    const { stampRules } = await import('./ruleStamp.ts');
    return stampRules(folder, process.env, this.custom());
  }

  private best(): Promise<Search> {
    this.found ??= this.findSearch();
    return this.found;
  }

  private async findSearch(): Promise<Search> {
    const program = await findRipgrep(this.candidates ?? packagedRipgrep(), this.programs);
    if (program === undefined) return await this.walk();
    const { RipgrepSearch } = await import('./ripgrepSearch.ts');
    return new RipgrepSearch(program, process.env, this.custom, this.decode);
  }

  private async walk(): Promise<WalkSearch> {
    const { WalkSearch } = await import('./walkSearch.ts');
    return new WalkSearch(process.env, this.custom, this.decode);
  }
}
