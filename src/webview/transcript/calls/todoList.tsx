import { t } from '../../../protocol/language.ts';
import type { Todo } from '../../../protocol/values.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icons.ts';

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul class="todos">
      {todos.map((todo, index) => (
        <li key={index} class={`todo ${todo.status}`}>
          <Icon name={todoStyles()[todo.status].icon} />
          <span>
            {todo.description}
            <span class="sr-only">, {todoStyles()[todo.status].word}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const todoStyles = (): Readonly<
  Record<Todo['status'], { readonly icon: IconName; readonly word: string }>
> => ({
  pending: { icon: 'circle-outline', word: t('to do') },
  in_progress: { icon: 'circle-filled', word: t('in progress') },
  completed: { icon: 'check', word: t('done') },
  cancelled: { icon: 'circle-slash', word: t('cancelled') },
  blocked: { icon: 'warning', word: t('blocked') },
});
