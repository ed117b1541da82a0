import { Component, type ReactNode } from 'react'

/**
 * Shows something else in place of what cannot be drawn, so that everything around it is shown; tries again when `of` names
 * something else. React offers this to classes only.
 */
export class FailureBoundary extends Component<
  { readonly of: unknown; readonly renderInstead: (error: unknown) => ReactNode; readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state = { error: null as unknown }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidUpdate(before: { readonly of: unknown }) {
    if (before.of !== this.props.of && this.state.error !== null) this.setState({ error: null })
  }
  override render() {
    return this.state.error === null ? this.props.children : this.props.renderInstead(this.state.error)
  }
}

/** What a row says that cannot be drawn. */
export const undrawnRow = 'This cannot be shown here. Nothing of it is lost.'

/** A row of a list: one that cannot be drawn says so in its place. @param of the row; another one is tried anew */
export function GuardedRow({ of, children }: { readonly of: unknown; readonly children: ReactNode }) {
  return (
    <FailureBoundary of={of} renderInstead={() => <li className="px-4 py-3 text-muted">{undrawnRow}</li>}>
      {children}
    </FailureBoundary>
  )
}
