import * as z from 'zod';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { sanitiseLine } from '../base/text.ts';
import { defineTool, type Tool, ToolFailure } from '../core/tool.ts';

export interface PlanModePorts {
  /** True if a user can decide. */
  readonly interactive: boolean;
  readonly mode: () => ApprovalMode;
  readonly setMode: (mode: ApprovalMode) => void;
}

const input = lazySchema(() => z.object({ reason: z.string().describe('One sentence for the user') }));
type Input = z.infer<ReturnType<typeof input>>;

/** Offered only in the two middle modes: a user who chose not to be asked anything is not asked to plan. */
export function enterPlanModeTool(ports: PlanModePorts): Tool<Input, undefined> {
  const { interactive, mode, setMode } = ports;
  return defineTool<Input, undefined>({
    name: 'enter_plan_mode',
    description:
      'Asks to switch to plan mode, where you only read and then present a plan. For work that is large, risky or open to several designs.',
    input,
    effect: 'note',
    isOffered: () => interactive && (mode() === 'default' || mode() === 'autoEdit'),
    title: ({ reason }) => t('Switch to plan mode: {0}', sanitiseLine(reason, 200)),
    prepare: async () => {
      if (mode() === 'plan') {
        throw new ToolFailure('Plan mode is on already. Present the plan with exit_plan_mode.', () =>
          t('Plan mode is on already'),
        );
      }
      const declined = async (said: string | undefined) => ({
        reason: `The user does not want a plan first. ${said ? `They said: ${said}` : 'Continue without one.'}`,
        summary: () => (said ? sanitiseLine(said, 200) : t('No plan wanted')),
      });
      return { plan: undefined, subject: { kind: 'mode', mode: 'plan' }, mustAsk: true, declined };
    },
    run: async () => {
      setMode('plan');
      return {
        text: 'Plan mode is on: only reading calls run. Study what the work needs, then present the plan with exit_plan_mode.',
        display: { summary: () => t('Plan mode') },
      };
    },
  });
}
