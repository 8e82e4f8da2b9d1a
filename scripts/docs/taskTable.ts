import {
  bestOfOthers,
  type EverydayTask,
  everydayTasks,
  type Peer,
  peerNames,
  totalOf,
} from '../../test/workbench/support/everydayTasks.ts';
import { markdownTable } from './markdown.ts';

const tasks: readonly EverydayTask[] = Object.values(everydayTasks);

/** What each task takes in Folio, beside the fewest that another needs. */
export function taskTable(): string {
  const rows = tasks.map(each => {
    const { task, from, how, count } = each;
    const best = bestOfOthers(each);
    return [
      `**${task}.** ${from}`,
      how,
      String(totalOf(count)),
      `${best.total} (${namesOf(each, best.total)})`,
    ];
  });
  return markdownTable(['task', 'in Folio', 'takes', 'best of the others'], rows);
}

/** All who need as few. */
function namesOf({ others }: EverydayTask, total: number): string {
  const names = (Object.keys(peerNames) as Peer[]).filter(peer => others[peer]?.total === total);
  return names.map(peer => peerNames[peer]).join(', ');
}

/** How the others do it. */
export function otherTaskTable(): string {
  const peers = Object.keys(peerNames) as Peer[];
  const rows = tasks.map(({ task, others }) => [
    task,
    ...peers.map(peer => {
      const way = others[peer];
      return way ? `${way.total}: ${way.how}` : '–';
    }),
  ]);
  return markdownTable(['task', ...peers.map(peer => peerNames[peer])], rows);
}
