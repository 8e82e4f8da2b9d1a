import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Returns a sequencer that begins with the files that take longest: begun last, each would keep one worker busy alone. */
export function longestFirst(...endings: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) => {
    const index = endings.findIndex(ending => moduleId.endsWith(ending));
    return index < 0 ? endings.length : index;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
    }
  };
}
