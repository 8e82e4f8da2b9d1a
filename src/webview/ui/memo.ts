import { type Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/**
 * Renders again only when a property changes identity. With structural sharing an unchanged item, page or chapter is
 * the same object.
 */
export function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  const inner = render as FunctionComponent<P>;
  return function Memo(this: Component<P>, props: P) {
    this.shouldComponentUpdate = next => differ(this.props, next);
    return h(inner, props);
  };
}

function differ(a: object, b: object): boolean {
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  return (
    Object.keys(left).some(key => left[key] !== right[key]) || Object.keys(right).some(key => !(key in left))
  );
}
