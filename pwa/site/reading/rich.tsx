import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import type { RichText } from '../content/content.ts'

const link = 'underline decoration-edge underline-offset-4 hover:decoration-base-content'
const mark = /\[([^\]]+)\]\(([^)]+)\)|\*\*(.+?)\*\*/g

/** A text with its links and stressed words. */
export function Rich({ text }: { text: RichText }) {
  const parts = []
  let at = 0
  for (const found of text.matchAll(mark)) {
    const [whole, words, address, stressed] = found
    parts.push(text.slice(at, found.index))
    parts.push(
      address === undefined ? (
        <strong key={found.index} className="font-semibold">
          {stressed}
        </strong>
      ) : (
        <Link key={found.index} to={address} className={link}>
          {words}
        </Link>
      ),
    )
    at = found.index + whole.length
  }
  return (
    <>
      {parts.map((part, index) => (
        // A text never changes while it is shown.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{part}</Fragment>
      ))}
      {text.slice(at)}
    </>
  )
}
