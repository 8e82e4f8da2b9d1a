/*
 * What nbformat demands of a notebook of format 4, for tests: stricter than Folio's own check one, which only keeps
 * from breaking what opens. The members of each cell and output, their types, and ids from 4.5 on.
 */

type Check = (value: unknown, place: string) => string[];

/** Faults of a notebook; none: nbformat would take it. */
export function schemaFaults(text: string): string[] {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch (error) {
    return [`no JSON: ${String(error)}`];
  }
  if (!isObject(notebook)) return ['no object'];
  if (notebook.nbformat !== 4) return ['nbformat'];
  const minor = notebook.nbformat_minor;
  if (typeof minor !== 'number' || !Number.isInteger(minor) || minor < 0) return ['nbformat_minor'];
  const faults = members({ nbformat: any, nbformat_minor: any, metadata: object, cells: list }, {})(
    notebook,
    '',
  );
  if (!Array.isArray(notebook.cells)) return faults;
  const ids = notebook.cells.map(cell => (isObject(cell) ? cell.id : undefined));
  if (minor >= 5 && new Set(ids).size < ids.length) faults.push('ids that are there twice');
  return [...faults, ...notebook.cells.flatMap((cell, at) => cellFaults(cell, `cells[${at}]`, minor >= 5))];
}

function cellFaults(cell: unknown, place: string, hasIds: boolean): string[] {
  if (!isObject(cell)) return [`${place} is no object`];
  const common = { cell_type: any, metadata: object, source: text, ...(hasIds && { id }) };
  if (cell.cell_type === 'code')
    return members({ ...common, outputs: listOf(outputFaults), execution_count: count }, {})(cell, place);
  if (cell.cell_type !== 'markdown' && cell.cell_type !== 'raw') return [`${place}.cell_type`];
  return members(common, { attachments: object })(cell, place);
}

function outputFaults(output: unknown, place: string): string[] {
  if (!isObject(output)) return [`${place} is no object`];
  const bundle = { output_type: any, data: object, metadata: object };
  switch (output.output_type) {
    case 'stream':
      return members({ output_type: any, name: string, text }, {})(output, place);
    case 'display_data':
      return members(bundle, {})(output, place);
    case 'execute_result':
      return members({ ...bundle, execution_count: count }, {})(output, place);
    case 'error':
      return members({ output_type: any, ename: string, evalue: string, traceback: list }, {})(output, place);
    default:
      return [`${place}.output_type`];
  }
}

function members(required: Record<string, Check>, optional: Record<string, Check>): Check {
  return (value, place) => {
    if (!isObject(value)) return [`${place} is no object`];
    const known: Record<string, Check> = { ...optional, ...required };
    const missing = Object.keys(required).filter(key => !(key in value));
    const present = Object.entries(value).flatMap(([key, member]) => {
      const check = Object.hasOwn(known, key) ? known[key]! : undefined;
      return check ? check(member, `${place}.${key}`) : [`${place}.${key} is not allowed`];
    });
    return [...missing.map(key => `${place}.${key} is missing`), ...present];
  };
}

function when(holds: (value: unknown) => boolean): Check {
  return (value, place) => (holds(value) ? [] : [place]);
}

function listOf(check: Check): Check {
  return (value, place) =>
    Array.isArray(value) ? value.flatMap((each, at) => check(each, `${place}[${at}]`)) : [place];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const any = when(() => true);
const string = when(value => typeof value === 'string');
const object = when(isObject);
const list = when(Array.isArray);
const count = when(value => value === null || (Number.isInteger(value) && Number(value) >= 0));
const id = when(value => typeof value === 'string' && /^[\w-]{1,64}$/.test(value));
const text = when(
  value =>
    typeof value === 'string' || (Array.isArray(value) && value.every(line => typeof line === 'string')),
);
