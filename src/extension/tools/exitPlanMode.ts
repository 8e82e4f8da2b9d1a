import * as z from 'zod';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { cutMiddle, oneLine, sanitiseLine } from '../base/text.ts';
import { defineTool, type Tool, ToolFailure } from '../core/tool.ts';
import type { PlanModePorts } from './enterPlanMode.ts';

export interface PlanPorts extends PlanModePorts {
  readonly plans: {
    /** Writes to a file that the user can edit. */
    readonly write: (title: string, plan: string) => Promise<PresentedPlan>;
    /** Resolves with a text for the model about the plan as its file has it now. */
    readonly approve: (
      plan: PresentedPlan,
      mode: ApprovalMode,
    ) => Promise<{ readonly text: string; readonly changed: boolean }>;
    /** Resolves with the text for the model. */
    readonly sendBack: (plan: PresentedPlan, said: string | undefined) => Promise<string>;
  };
}

interface PresentedPlan {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const input = lazySchema(() =>
  z.object({ title: z.string(), plan: z.string().describe('The whole plan, Markdown') }),
);
type Input = z.infer<ReturnType<typeof input>>;

/** Characters of the plan on the card. The file has all of it. */
const shownLimit = 20_000;

/**
 * `prepare` writes the plan to the session's own folder, where the user can read and edit it before deciding. Changes
 * nothing in the workspace.
 */
export function exitPlanModeTool(ports: PlanPorts): Tool<Input, PresentedPlan> {
  const { interactive, mode, setMode, plans } = ports;
  return defineTool<Input, PresentedPlan>({
    name: 'exit_plan_mode',
    description:
      'Presents the plan in an editor. The user may change it, and approves it, which ends plan mode, or sends it back with remarks.',
    input,
    effect: 'note',
    isOffered: () => interactive && mode() === 'plan',
    title: ({ title }) => t('Plan: {0}', sanitiseLine(title, 120)),
    prepare: async ({ title, plan }) => {
      if (mode() !== 'plan') {
        throw new ToolFailure(
          'Plan mode is off, so no plan has to be approved. Continue with the work.',
          () => t('Plan mode is off'),
        );
      }
      if (plan.trim() === '') throw new ToolFailure(() => t('The plan is empty.'));
      if (!interactive) {
        throw new ToolFailure('Nobody is there to approve a plan: say it in your last message.', () =>
          t('No user to ask'),
        );
      }
      const written = await plans.write(sanitiseLine(title, 120) || 'Plan', plan);
      return {
        plan: written,
        subject: { kind: 'plan', path: written.path, text: cutMiddle(written.text, shownLimit) },
        mustAsk: true,
        declined: async said => ({
          reason: await plans.sendBack(written, said),
          summary: () => (said ? t('Sent back: {0}', oneLine(said, 200)) : t('Sent back')),
        }),
      };
    },
    run: async (_input, plan, { approvedPlan }) => {
      if (!approvedPlan)
        throw new ToolFailure('The plan was not decided. Present it again.', () => t('Not decided'));
      const { text, changed } = await plans.approve(plan, approvedPlan.mode);
      setMode(approvedPlan.mode);
      return {
        text,
        bounded: true,
        display: { summary: () => (changed ? t('Approved with changes') : t('Approved')) },
      };
    },
  });
}
