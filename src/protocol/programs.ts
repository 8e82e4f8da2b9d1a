/* Programs that a session's commands leave running: servers and watchers. */

import * as z from 'zod';
import { later } from './later.ts';
import { exact, type RowOf, record, word, words } from './table.ts';

export const program = later(() =>
  record({
    command: words,
    /** Absent: it could not be started again. */
    pid: z.number().optional(),
    status: word<'running' | 'ended'>(),
    /** The first address of this machine that it printed. */
    address: words.optional(),
    /** Different errors that it printed. */
    errors: z.number(),
    /** It outlives the window. */
    kept: z.boolean().optional(),
    /** A number, or the name of a signal; absent while it runs. */
    exit: exact.optional(),
  }),
);

/** As the journal has it. */
export type Program = RowOf<ReturnType<typeof program>>;

export interface WithPrograms {
  /** In the order in which they were started; absent: none was left running. */
  readonly programs?: readonly ListedProgram[];
}

/** `id`: of the call that started it. */
export type ListedProgram = Program & { readonly id: string };

/** Folds a change; without a program, that one is not listed any more. */
export function foldProgram({ programs = [] }: WithPrograms, id: string, changed?: Program): WithPrograms {
  const at = programs.findIndex(each => each.id === id);
  if (!changed) return { programs: programs.filter(each => each.id !== id) };
  const listed = { ...changed, id };
  return { programs: at < 0 ? [...programs, listed] : programs.with(at, listed) };
}
