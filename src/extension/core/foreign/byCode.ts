/* Decides whether the model calls tools of servers from scripts, in place of one by one. */

import { inEnglish, t } from '../../../protocol/language.ts';
import type { Log } from '../../platform/log.ts';
import type { ByCodeSetting } from '../../platform/settings.ts';
import type { AnyTool } from '../tool.ts';
import { runToolScript } from './runToolScript.ts';
import type { ScriptPorts } from './scriptRun.ts';
import { scriptFunctions } from './signatures.ts';

/** Bytes of declarations from which `auto` lets scripts call: about what 40 tools take. */
const byCodeFromBytes = 24_000;

interface ByCodePorts extends ScriptPorts {
  readonly setting: () => ByCodeSetting;
  /** Takes a sentence for the user. */
  readonly notify: (sentence: string) => void;
  readonly log: Pick<Log, 'info'>;
}

export class ByCode {
  private readonly ports: ByCodePorts;
  private isWanted = false;
  private canRun = false;
  private reported = '';
  private made: { readonly of: readonly AnyTool[]; readonly tool: AnyTool } | undefined;

  constructor(ports: ByCodePorts) {
    this.ports = ports;
  }

  /** @param bytes of what the tools of servers would take of each request */
  isOn(bytes: number): boolean {
    const setting = this.ports.setting();
    this.isWanted = bytes > 0 && (setting === 'on' || (setting === 'auto' && bytes >= byCodeFromBytes));
    return this.isWanted && this.canRun;
  }

  /** Finds out whether a script can run, where one is wanted. Never rejects. */
  async settle(): Promise<void> {
    if (!this.isWanted) return;
    const why = await this.ports.scripts.whyMissing();
    this.canRun = why === undefined;
    if (why)
      this.report(() =>
        t('Tools of servers are not called from scripts, since there is no sandbox. {0}', why()),
      );
  }

  /** The same tool as long as the tools are the same: its declaration begins each request. */
  toolOf(tools: readonly AnyTool[]): AnyTool {
    const { made } = this;
    if (made?.of.length === tools.length && tools.every((tool, at) => tool === made.of[at])) return made.tool;
    const tool = runToolScript(scriptFunctions(tools), this.ports);
    this.made = { of: tools, tool };
    return tool;
  }

  /** Only who switched it on expects it. */
  private report(say: () => string): void {
    const sentence = say();
    if (this.reported === sentence) return;
    this.reported = sentence;
    if (this.ports.setting() === 'on') this.ports.notify(sentence);
    else this.ports.log.info(inEnglish(say));
  }
}
