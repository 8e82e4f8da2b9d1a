import {
  type EverydayTask,
  everydayTasks,
  type Peer,
  peerNames,
  totalOf,
} from '../../test/workbench/support/everydayTasks.ts';
import { markdownTable } from './markdown.ts';

const tasks: readonly EverydayTask[] = Object.values(everydayTasks);
const peers = Object.keys(peerNames) as Peer[];

/** Returns the table of everyday tasks in Folio and in other agents. */
export function taskTable(): string {
  const rows = tasks.map(({ task, how, count, others }) => [
    task,
    how,
    String(totalOf(count)),
    ...peers.map(peer => String(others[peer]?.total ?? '–')),
  ]);
  return markdownTable(['task', 'in Folio', 'takes', ...peers.map(peer => peerNames[peer])], rows);
}
