// M²'s search for the best path through a list of arcs, and the edits on that path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "m2_gold.hpp"
#include "vertices.hpp"

namespace corrigenda {

class PathSearch {
public:
    // Bellman and Ford's search: it follows the list, again and again, and takes an arc if it makes
    // the way to its end strictly shorter. So the order of the list decides between equal ways.
    // `order` holds the places of arcs in `arcs`; `weight(place)` is the weight of an arc. `start`
    // is the weight of the way to the first vertex.
    template <typename Arc, typename Weight>
    void run(const Vertices& vertices, const std::vector<std::int32_t>& order,
             const std::vector<Arc>& arcs, double start, Weight weight) {
        distances_.assign(vertices.size(), std::numeric_limits<double>::infinity());
        last_arc_.assign(vertices.size(), kNowhere);
        distances_[0] = start;
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (const std::int32_t place : order) {
                const Arc& arc = arcs[static_cast<std::size_t>(place)];
                const double distance = distances_[arc.from] + weight(place);
                if (distance < distances_[arc.to]) {
                    distances_[arc.to] = distance;
                    last_arc_[arc.to] = place;
                    has_changed = true;
                }
            }
        }
    }

    // The edits on the path that the search found, from left to right; `gold` is kNoGold.
    template <typename Arc>
    void read(const Vertices& vertices, const std::vector<Arc>& arcs,
              std::vector<SystemEdit>& edits) const {
        edits.clear();
        for (Vertex at = vertices.last(); last_arc_[at] != kNowhere;) {
            const Arc& arc = arcs[static_cast<std::size_t>(last_arc_[at])];
            if (arc.is_edit) {
                edits.push_back({vertices.row(arc.from), vertices.row(arc.to),
                                 vertices.column(arc.from), vertices.column(arc.to), kNoGold});
            }
            at = arc.from;
        }
        std::reverse(edits.begin(), edits.end());
    }

private:
    std::vector<double> distances_;
    std::vector<std::int32_t> last_arc_;  // of the best path to each vertex, or kNowhere
};

}  // namespace corrigenda
