import type { Report } from '../../../protocol/reports.ts';
import { type AnyTool, defineReader } from '../tool.ts';
import type { AgentKind } from './agentKind.ts';

/** How an agent ends its work. What does not fit is answered with what is wrong, as with every tool. */
export function completeTask(
  { report }: Pick<AgentKind, 'report'>,
  handIn: (report: Report) => void,
): AnyTool {
  return defineReader<Report>({
    name: 'complete_task',
    description: 'Hands in your report and ends your work.',
    input: report,
    effect: 'note',
    title: () => 'Hand in the report',
    run: async given => {
      handIn(given);
      return { text: 'Your report is handed in.', display: { summary: 'Handed in' } };
    },
  });
}
