"""Structured factors for check_certificate.py: sequences and head automata as machines (certificate_problem.py),
trees by Eisner, and by Chu, Liu and Edmonds."""
from certificate_problem import INF, score_or_null


def machine(f):
    """Start, order and read of a factor; its best, where that is no machine's."""
    if f["kind"] == "sequence":
        return sequence_machine(f["length"], f["labels"], f["transitions"]), None
    if f["kind"] == "head_automaton":
        return automaton_machine(f["left"], f["right"], f["uppers"], f["pairs"], f.get("grand")), None
    if f["kind"] not in ("arborescence", "projective_tree"):
        raise ValueError(f"unknown kind of factor {f['kind']!r}")
    return (None, range(len(f["arcs"])), None), lambda w, clamp: best_tree(f, w, clamp)


def sequence_machine(length, labels, transitions):
    """Literal position * labels + label: remembers the label before, and that of the position at hand."""
    def read(memory, i, on):
        (before, label), (t, k) = memory, divmod(i, labels)
        if on and label is not None:
            return None, 0.0
        label = k if on else label
        if k < labels - 1:
            return (before, label), 0.0
        if label is None:
            return None, 0.0
        at = (t - 1) * labels * labels if len(transitions) > labels * labels else 0
        return (label, None), score_or_null(transitions[at + before * labels + label]) if t else 0.0
    return (None, None), range(length * labels), read


def automaton_machine(left, right, uppers, pairs, grand):
    """Uppers first, then each side from the node outwards: remembers the upper, and the side's last true arc."""
    n = left + right

    def read(memory, i, on):
        upper, last = memory
        if i >= n:
            if on and upper is not None:
                return None, 0.0
            upper = i - n if on else upper
            return (None if i == n + uppers - 1 and upper is None else (upper, last)), 0.0
        m, at, k = (i, 0, left) if i < left else (i - left, left * (left + 3) // 2, right)
        gain = 0.0
        if on:
            gain = score_or_null(pairs[at + m * (m + 1) // 2 + 1 + last])
            gain += score_or_null(grand[upper * n + i]) if uppers and grand else 0.0
            last = m
        if m < k - 1:
            return (upper, last), gain
        return (upper, -1), gain + (score_or_null(pairs[at + k * (k + 1) // 2 + last]) if last >= 0 else 0.0)
    return (None, -1), [*range(n, n + uppers), *range(n)], read


def best_tree(f, w, clamp):
    """The best tree of these arcs that agrees with clamp (None: free)."""
    ones = {f["arcs"][i][1]: i for i, on in enumerate(clamp) if on}  # who is entered by which given arc
    if len(ones) < sum(1 for on in clamp if on):
        return -INF
    arc = {tuple(a): w[i] for i, a in enumerate(f["arcs"])
           if clamp[i] is not False and ones.get(a[1], i) == i}
    n, single = f["nodes"], f.get("single_root", False)
    if f["kind"] == "projective_tree":
        return best_projective(n, arc, single)
    roots = [m for m in range(1, n + 1) if (0, m) in arc] if single else [None]
    return max((best_arborescence(n + 1, {a: x for a, x in arc.items() if a[0] or r in (None, a[1])})
                for r in roots), default=-INF)


def best_projective(n, arc, single):
    """Eisner: [i][j] of complete and incomplete spans headed left or right."""
    right, left, open_right, open_left = ([[-INF] * (n + 1) for _ in range(n + 1)] for _ in range(4))
    for i in range(n + 1):
        right[i][i] = left[i][i] = 0.0
    for i, j in sorted(((i, j) for j in range(n + 1) for i in range(j)), key=lambda x: x[1] - x[0]):
        inner = max(right[i][k] + left[k + 1][j] for k in range(i, j))
        open_right[i][j] = inner + arc.get((i, j), -INF)
        open_left[i][j] = inner + arc.get((j, i), -INF)
        right[i][j] = max(open_right[i][k] + right[k][j] for k in range(i + 1, j + 1))
        left[i][j] = max(left[i][k] + open_left[k][j] for k in range(i, j))
    if not single:
        return right[0][n]
    return max(left[1][r] + arc.get((0, r), -INF) + right[r][n] for r in range(1, n + 1))


def best_arborescence(n, arc):
    """Chu, Liu and Edmonds: the best arc into each node; a circle of them is contracted. The root is 0."""
    into = {}
    for (a, b), x in arc.items():
        if b and a != b and x > into.get(b, (None, -INF))[1]:
            into[b] = (a, x)
    if len(into) < n - 1:
        return -INF
    for start in into:
        path, at = [], start
        while at in into and at not in path:
            path.append(at)
            at = into[at][0]
        if at in path:
            circle = set(path[path.index(at):])
            rest = [v for v in range(1, n) if v not in circle]
            name = {0: 0, **{v: i + 2 for i, v in enumerate(rest)}, **{v: 1 for v in circle}}
            new = {}
            for (a, b), x in arc.items():
                if x > -INF and name[a] != name[b]:
                    key, y = (name[a], name[b]), x - (into[b][1] if b in circle else 0.0)
                    new[key] = max(new.get(key, -INF), y)
            return sum(into[v][1] for v in circle) + best_arborescence(len(rest) + 2, new)
    return sum(x for _, x in into.values())
