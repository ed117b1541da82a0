/**
 * The groups in which everything leads to everything: strongly connected components of more than one (Tarjan 1972).
 * @param {Map<string, Iterable<string>>} graph what each one leads to
 * @returns {string[][]} each group sorted, the largest first
 */
export function circles(graph) {
  const found = []
  const places = new Map()
  const lowest = new Map()
  const path = []
  const visit = (node) => {
    places.set(node, places.size)
    lowest.set(node, places.get(node))
    path.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!places.has(next)) visit(next)
      if (path.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== places.get(node)) return
    const group = path.splice(path.indexOf(node))
    if (group.length > 1) found.push(group.sort((one, other) => (one < other ? -1 : 1)))
  }
  for (const node of graph.keys()) if (!places.has(node)) visit(node)
  return found.sort((one, other) => other.length - one.length)
}
