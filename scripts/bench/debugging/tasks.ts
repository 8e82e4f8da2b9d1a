/*
 * Fixed tasks, each solved in two ways: with the debugger, and by adding and removing prints. Both scripts play a model
 * that wastes nothing and edits only what it has read. The programs are in Python, whose adapter runs everywhere.
 */

import type { Files } from '../symbols/shop.ts';
import type { Call, Task } from '../symbols/tasks.ts';

const launch = JSON.stringify({
  configurations: [
    {
      name: 'Run',
      type: 'debugpy',
      request: 'launch',
      program: '$' + '{workspaceFolder}/main.py',
      cwd: '$' + '{workspaceFolder}',
      console: 'internalConsole',
    },
  ],
});

/** @param python Python interpreter with debugpy */
export function makeDebugTasks(python: string): readonly Task[] {
  return [wrongValue(python), race(python), swallowed(python)];
}

const prices = `RATES = {'book': 0.07, 'food': 0.0, 'toy': 0.19, 'gift': 19}

def rate_of(kind):
    rate = RATES[kind]
    return rate

def gross(price, kind):
    rate = rate_of(kind)
    return round(price * (1 + rate), 2)
`;

const orders = `import prices

def total_of(order):
    total = 0
    for price, kind in order['items']:
        part = prices.gross(price, kind)
        total += part
    return total
`;

const shop = `import orders

def make_orders():
    kinds = ['book', 'food', 'toy', 'book', 'toy', 'food']
    made = []
    for number in range(200):
        items = [(number % 30 + 1, kinds[(number + at) % 6]) for at in range(4)]
        if number == 137:
            items.append((12, 'gift'))
        made.append({'number': number, 'items': items})
    return made

def main():
    for order in make_orders():
        total = orders.total_of(order)
        if total > 200:
            print('Order', order['number'], 'is implausible:', total)

main()
`;

function wrongValue(python: string): Task {
  const files = project({ 'main.py': shop, 'orders.py': orders, 'prices.py': prices });
  return {
    name: 'a wrong value three calls deep',
    prompt: 'main.py says that order 137 is implausible. Which value is wrong, and where does it come from?',
    files,
    byMeaning: [
      [read('main.py'), read('orders.py'), read('prices.py')],
      [
        debug({
          action: 'start',
          breakpoints: [{ file: 'prices.py', at: 'return rate', condition: 'rate > 1' }],
        }),
      ],
    ],
    bySpelling: [
      [read('main.py'), read('orders.py'), read('prices.py')],
      [
        put('orders.py', '        total += part', "        print(order['number'], price, kind, part)"),
        put('prices.py', '    rate = RATES[kind]', '    print(kind, rate)'),
      ],
      [run(`${python} main.py | grep -B1 '^137 '`)],
      [
        take('orders.py', '        total += part', "        print(order['number'], price, kind, part)"),
        take('prices.py', '    rate = RATES[kind]', '    print(kind, rate)'),
      ],
    ],
    answer: 'The rate of gift is 19 in RATES of prices.py; it should be 0.19.',
    evidence: ['gift', '19'],
    after: files,
  };
}

const account = `import threading
import time

class Account:
    def __init__(self):
        self.balance = 100

    def withdraw(self, amount, who):
        seen = self.balance
        if seen < amount:
            return False
        time.sleep(0.2)
        self.balance = seen - amount
        return True
`;

const bank = `import threading
from account import Account

account = Account()
workers = [threading.Thread(target=account.withdraw, args=(80, name)) for name in ('ann', 'bob')]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print('left', account.balance)
`;

function race(python: string): Task {
  const files = project({ 'main.py': bank, 'account.py': account });
  const before = "        print(who, 'read', seen)";
  const after = "        print(who, 'wrote', self.balance)";
  return {
    name: 'a race, with logpoints',
    prompt:
      'In main.py both withdrawals of 80 succeed though there are only 100. Show the order that does it.',
    files,
    byMeaning: [
      [read('account.py')],
      [
        debug({
          action: 'start',
          breakpoints: [
            { file: 'account.py', at: 'if seen < amount', log: '{who} read {seen}' },
            { file: 'account.py', at: 'return True', log: '{who} wrote {self.balance}' },
          ],
        }),
      ],
    ],
    bySpelling: [
      [read('account.py')],
      [
        put('account.py', '        seen = self.balance', before),
        put('account.py', '        self.balance = seen - amount', after),
      ],
      [run(`${python} main.py`)],
      [
        take('account.py', '        seen = self.balance', before),
        take('account.py', '        self.balance = seen - amount', after),
      ],
    ],
    answer: 'Both read 100 before either writes: there is no lock around read and write.',
    evidence: ['ann read 100', 'bob read 100', 'wrote 20'],
    after: files,
  };
}

const loader = (name: string, parse: string) => `import json

def load_${name}(text):
    try:
        return ${parse}
    except Exception:
        return None
`;

const importer = `import first, second, third

def main():
    rows = ['{"id": 1, "size": "4"}', '{"id": 2}', '{"id": 3, "size": "7"}']
    loaded = 0
    for row in rows:
        for load in (first.load_id, second.load_size, third.load_row):
            if load(row) is not None:
                loaded += 1
    print('loaded', loaded, 'of', 3 * len(rows))

main()
`;

function swallowed(python: string): Task {
  const files = project({
    'main.py': importer,
    'first.py': loader('id', "json.loads(text)['id']"),
    'second.py': loader('size', "int(json.loads(text)['size'])"),
    'third.py': loader('row', 'json.loads(text)'),
  });
  const modules = ['first.py', 'second.py', 'third.py'];
  const line = '    except Exception:';
  const print = '        import traceback; traceback.print_exc(); print(text)';
  return {
    name: 'an exception that is swallowed',
    prompt: 'main.py loads 8 of 9. What goes wrong with the one that is missing?',
    files,
    byMeaning: [[debug({ action: 'start', caught_exceptions: true })]],
    bySpelling: [
      [{ name: 'grep_search', args: { pattern: 'except' } }],
      modules.map(path => read(path)),
      modules.map(path => put(path, line, print)),
      [run(`${python} main.py`)],
      modules.map(path => take(path, line, print)),
    ],
    answer: 'load_size in second.py gets a row without a size; the KeyError is swallowed.',
    evidence: ['KeyError', 'load_size'],
    after: files,
  };
}

function project(files: Files): Files {
  return { ...files, '.vscode/launch.json': launch };
}

const debug = (args: Call['args']): Call => ({ name: 'debug', args });
const read = (file_path: string): Call => ({ name: 'read_file', args: { file_path } });

function run(command: string): Call {
  return { name: 'run_shell_command', args: { command, description: 'Run it' } };
}

function put(file_path: string, line: string, print: string): Call {
  return replace(file_path, line, `${line}\n${print}`);
}

function take(file_path: string, line: string, print: string): Call {
  return replace(file_path, `${line}\n${print}`, line);
}

function replace(file_path: string, old_string: string, new_string: string): Call {
  return { name: 'replace', args: { file_path, old_string, new_string, instruction: 'Print what happens' } };
}
