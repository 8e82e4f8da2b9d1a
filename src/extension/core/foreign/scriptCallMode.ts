/* Decides whether the model calls tools of servers through scripts instead of directly. */

import { inEnglish, t } from '../../../protocol/language.ts';
import type { Log } from '../../platform/log.ts';
import type { ScriptCallSetting } from '../../platform/settings.ts';
import type { AnyTool } from '../tool.ts';
import { runToolScript } from './runToolScript.ts';
import type { ScriptPorts } from './scriptRun.ts';
import { scriptFunctions } from './signatures.ts';

/** Bytes of declarations above which `auto` uses scripts: about 40 tools. */
const byCodeFromBytes = 24_000;

interface ByCodePorts extends ScriptPorts {
  readonly setting: () => ScriptCallSetting;
  readonly notify: (sentence: string) => void;
  readonly log: Pick<Log, 'info'>;
}

export class ScriptCallMode {
  private readonly ports: ByCodePorts;
  private isWanted = false;
  private canRun = false;
  private reported = '';
  private made: { readonly of: readonly AnyTool[]; readonly tool: AnyTool } | undefined;

  constructor(ports: ByCodePorts) {
    this.ports = ports;
  }

  /** @param bytes of the declarations of servers' tools in each request */
  isOn(bytes: number): boolean {
    const setting = this.ports.setting();
    this.isWanted = bytes > 0 && (setting === 'on' || (setting === 'auto' && bytes >= byCodeFromBytes));
    return this.isWanted && this.canRun;
  }

  /** Checks whether scripts can run, if they are wanted. Never rejects. */
  async settle(): Promise<void> {
    if (!this.isWanted) return;
    const why = await this.ports.scripts.whyMissing();
    this.canRun = why === undefined;
    if (why)
      this.report(() =>
        t('Tools of servers are not called from scripts, since there is no sandbox. {0}', why()),
      );
  }

  /** Returns the same object for the same tools, since its declaration is part of each request's prefix. */
  toolOf(tools: readonly AnyTool[]): AnyTool {
    const { made } = this;
    if (made?.of.length === tools.length && tools.every((tool, at) => tool === made.of[at])) return made.tool;
    const tool = runToolScript(scriptFunctions(tools), this.ports);
    this.made = { of: tools, tool };
    return tool;
  }

  /** Notifies only users who switched it on explicitly. */
  private report(say: () => string): void {
    const sentence = say();
    if (this.reported === sentence) return;
    this.reported = sentence;
    if (this.ports.setting() === 'on') this.ports.notify(sentence);
    else this.ports.log.info(inEnglish(say));
  }
}
