import SwiftUI

struct Card: View {
    let title: String
}

#Preview {
    Card(title: "A")
    // <- refers: call Card (title:)
    // <- by: previews.swift.closure@7
}

#Preview("dark") {
    Card(title: "B")
    // <- refers: call Card (title:)
    // <- by: previews.swift.closure@13
}
